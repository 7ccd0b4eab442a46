/** The texts of an account's details that a merge compares; "" where there is none. Addresses are one line. */
export const DETAIL_NAMES = [
  "firstName",
  "lastName",
  "company",
  "position",
  "telephoneNumber",
  "companyRegistrationNumber",
  "taxNumber",
  "companyAddress",
  "invoicing",
  "mailingAddress",
] as const;
export type DetailName = (typeof DETAIL_NAMES)[number];
export type DetailTexts = Readonly<Record<DetailName, string>>;

export interface ComparedAccount {
  id: number;
  texts: DetailTexts;
}

export interface DetailOption {
  /** The account whose detail it is; of several with the same the first, the surviving one before the others. */
  accountId: number;
  text: string;
}

/** A detail with everything that the accounts say about it: one option where they agree, more where somebody has to choose. */
export interface ComparedDetail {
  name: DetailName;
  options: DetailOption[];
}

/** Returns a text as it is compared: without differences in spaces or in the way that accents are written. */
export const alike = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();

/**
 * Compares the accounts' details. In: the surviving account first. An account without a detail says nothing about it, so that a merge
 * loses none; details that no account has are left out.
 */
export function compareDetails(accounts: readonly ComparedAccount[]): ComparedDetail[] {
  return DETAIL_NAMES.flatMap((name) => {
    const options = new Map<string, DetailOption>();
    for (const { id, texts } of accounts) {
      const text = alike(texts[name]);
      if (text !== "" && !options.has(text)) options.set(text, { accountId: id, text: texts[name] });
    }
    return options.size === 0 ? [] : [{ name, options: [...options.values()] }];
  });
}

/** The details that have to be chosen, each with the ids that its answer may be. */
export const choicesOf = (details: readonly ComparedDetail[]): Partial<Record<DetailName, string[]>> =>
  Object.fromEntries(
    details
      .filter(({ options }) => options.length > 1)
      .map(({ name, options }) => [name, options.map(({ accountId }) => String(accountId))]),
  );

/** Whether the portal would be left without an administrator. In: ids of all of them who can sign in, and of those who are closed. */
export const losesLastAdministrator = (administrators: readonly number[], closed: readonly number[]): boolean =>
  administrators.length > 0 && administrators.every((id) => closed.includes(id));
