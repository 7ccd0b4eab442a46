/** The account details that a merge compares, as texts. A missing detail is "". An address is one line. */
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
  /**
   * The account that the detail comes from. Of several accounts with the same detail it is the first; the surviving account comes before
   * the others.
   */
  accountId: number;
  text: string;
}

/**
 * A detail and the different values that the accounts have for it. There is one option where they agree, and several where the user must
 * choose.
 */
export interface ComparedDetail {
  name: DetailName;
  options: DetailOption[];
}

/** Normalises a text for the comparison: differences in spaces and in the encoding of accents do not count. */
export const alike = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();

/**
 * Compares the details of the accounts. An account without a detail adds no option for it, so that a merge loses nothing. Details that no
 * account has are omitted.
 *
 * @param accounts The accounts, the surviving one first.
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

/** Returns the details that the user must choose, each with the account ids that can be chosen. */
export const choicesOf = (details: readonly ComparedDetail[]): Partial<Record<DetailName, string[]>> =>
  Object.fromEntries(
    details
      .filter(({ options }) => options.length > 1)
      .map(({ name, options }) => [name, options.map(({ accountId }) => String(accountId))]),
  );

/**
 * Returns whether a merge would leave the portal without an administrator.
 *
 * @param administrators The ids of all administrators who can log in.
 * @param closed The ids of the accounts that the merge closes.
 */
export const losesLastAdministrator = (administrators: readonly number[], closed: readonly number[]): boolean =>
  administrators.length > 0 && administrators.every((id) => closed.includes(id));
