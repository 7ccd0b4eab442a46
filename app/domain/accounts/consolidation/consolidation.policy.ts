import { ROLES } from "~/domain/companies/roles.policy";
import { type CompanyRole } from "~db/tables";

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
  /** All accounts with the same detail, also that one. */
  sharedBy: number[];
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
      const same = options.get(text);
      if (same) same.sharedBy.push(id);
      else if (text !== "") options.set(text, { accountId: id, sharedBy: [id], text: texts[name] });
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

/** A company to which one of the accounts belongs. */
export interface ComparedCompany {
  id: number;
  name: string;
  /** Whether somebody else is a member of it. */
  hasColleagues: boolean;
  /** The roles of the accounts that are members of it, by account id. */
  roles: ReadonlyMap<number, CompanyRole>;
}

/** What a merge of accounts does to a company. */
export interface CompanyOutcome {
  id: number;
  name: string;
  /** The company of which this one becomes part, or null for one that stays. */
  into: string | null;
  /** The companies that become part of this one. */
  takes: string[];
  /** The role of the remaining account in a company that stays. */
  role: CompanyRole;
  /** Its role there before, or null when it was no member. */
  formerRole: CompanyRole | null;
  /**
   * Why a company that stays does not become part of the one in which the remaining account works: somebody else is a member of it, or of
   * that one, or the remaining account belongs to both already. Null for the company in which the account works.
   */
  apart: "colleagues" | "own-colleagues" | "member" | null;
}

/**
 * Returns what a merge does to each company of the accounts, first to the one in which the remaining account works.
 *
 * @param joined The ids of the companies that become part of that one.
 */
export function companyOutcomes(
  companies: readonly ComparedCompany[],
  { survivorId, worksIn, joined }: { survivorId: number; worksIn: number; joined: readonly number[] },
): CompanyOutcome[] {
  const ordered = [...companies].sort((one, other) => Number(other.id === worksIn) - Number(one.id === worksIn));
  const own = ordered.find(({ id }) => id === worksIn);
  const apartOf = ({ id, hasColleagues, roles }: ComparedCompany): CompanyOutcome["apart"] => {
    if (id === worksIn) return null;
    if (hasColleagues) return "colleagues";
    return roles.has(survivorId) ? "member" : "own-colleagues";
  };
  return ordered.map((company) => {
    const role = ROLES.find((one) => [...company.roles.values()].includes(one)) ?? "reader";
    const isJoined = joined.includes(company.id);
    return {
      id: company.id,
      name: company.name,
      into: isJoined ? (own?.name ?? null) : null,
      takes: company.id === worksIn ? ordered.filter(({ id }) => joined.includes(id)).map(({ name }) => name) : [],
      role,
      formerRole: company.roles.get(survivorId) ?? null,
      apart: isJoined ? null : apartOf(company),
    };
  });
}

/**
 * Returns whether a merge would leave the portal without an administrator.
 *
 * @param administrators The ids of all administrators who can log in.
 * @param closed The ids of the accounts that the merge closes.
 */
export const losesLastAdministrator = (administrators: readonly number[], closed: readonly number[]): boolean =>
  administrators.length > 0 && administrators.every((id) => closed.includes(id));
