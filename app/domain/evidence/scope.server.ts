import { readPeriod } from "~/domain/audit/search.server";
import { companyIdOf, companyReference } from "~/domain/companies/company-reference";
import { readTypedWords } from "~/domain/search/typed-words.policy";
import { addDays, DAY, formatDate } from "~/lib/dates";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { findCompany, listCompaniesCalled } from "~db/repositories/companies.server";
import { listCertificatesNumbered } from "~db/repositories/exact-search.server";
import { type PackErrors, type PackField, type PackQuery } from "./pack-query";

/** How many days a period has at most when no certificate and no company is given. */
export const MOST_DAYS = 31;

export interface PackScope {
  certificate: { id: number; orderId: number } | null;
  companyId: number | null;
  /** ISO timestamps. `from` is inclusive, `before` is exclusive. Null without a period. */
  from: string | null;
  before: string | null;
  /** What the pack is about, in words without names. */
  text: string;
}

const NOTHING = "Enter a certificate, a company or a period.";
const BOTH = "Enter either a certificate or a company.";
const HALF = "Enter both days of the period.";
const LONG = `A period has at most ${MOST_DAYS} days. Enter a shorter one, or a certificate or a company as well.`;
const NO_CERTIFICATE = "There is no certificate with this ID or serial number.";
const NO_COMPANY = "There is no company with this number or name.";
const SEVERAL_COMPANIES = "More than one company has this name. Enter the number of the company.";

/** Thrown while a query is read, and returned as an error of its field. */
class WrongField extends Error {
  constructor(
    readonly field: PackField,
    message: string,
  ) {
    super(message);
  }
}

/** Finds a certificate by its ID or by its serial number in any notation. */
async function findScopeCertificate(typed: string) {
  if (typed === "") return null;
  const id = readNumber(typed, LARGEST_ID);
  const known = id === null ? null : await findCertificate(getDb(), id);
  if (known) return { id: known.id, orderId: known.orderId };
  const read = readTypedWords(typed);
  const serials = read && !("error" in read) ? read.serials : [];
  const [found, ...others] = await listCertificatesNumbered(getDb(), { serials, sha1: null, sha256: null });
  if (!found || others.length > 0) throw new WrongField("certificate", NO_CERTIFICATE);
  return { id: found.id, orderId: found.orderId };
}

/** Finds a company by its number or its name. */
async function findScopeCompany(typed: string): Promise<number | null> {
  if (typed === "") return null;
  const id = companyIdOf(typed.toUpperCase()) ?? readNumber(typed, LARGEST_ID);
  if (id !== null && (await findCompany(getDb(), id))) return id;
  const [found, ...others] = await listCompaniesCalled(getDb(), typed);
  if (others.length > 0) throw new WrongField("company", SEVERAL_COMPANIES);
  if (!found) throw new WrongField("company", NO_COMPANY);
  return found.id;
}

function readDays({ from, to, certificate, company }: PackQuery) {
  if ((from === "") !== (to === "")) throw new WrongField(from === "" ? "from" : "to", HALF);
  const { errors, ...period } = readPeriod({ from, to });
  for (const field of ["from", "to"] as const) if (errors[field]) throw new WrongField(field, errors[field]);
  const days = period.from && period.before ? (Date.parse(period.before) - Date.parse(period.from)) / DAY : 0;
  const isAlone = certificate === "" && company === "";
  // The year 9999 has no end that both databases can compare.
  const isEndless = from !== "" && period.before === null;
  if (isAlone && (days > MOST_DAYS || isEndless)) throw new WrongField("to", LONG);
  return period;
}

function textOf({ certificate, companyId, from, before }: Omit<PackScope, "text">): string {
  const about = certificate
    ? `certificate ${certificate.id}`
    : companyId === null
      ? "all companies"
      : `company ${companyReference(companyId)}`;
  const last = before === null ? "31/12/9999" : formatDate(addDays(new Date(before), -1).toISOString());
  return from === null ? about : `${about}, from ${formatDate(from)} to ${last}`;
}

/** Returns what a pack is asked to be about, or the error of a field. */
export async function readScope(query: PackQuery): Promise<{ scope: PackScope } | { errors: PackErrors }> {
  try {
    if (query.certificate !== "" && query.company !== "") throw new WrongField("company", BOTH);
    const { from, before } = readDays(query);
    const found = {
      certificate: await findScopeCertificate(query.certificate),
      companyId: await findScopeCompany(query.company),
      from,
      before,
    };
    if (!found.certificate && found.companyId === null && from === null) throw new WrongField("certificate", NOTHING);
    return { scope: { ...found, text: textOf(found) } };
  } catch (error) {
    if (error instanceof WrongField) return { errors: { [error.field]: error.message } };
    throw error;
  }
}
