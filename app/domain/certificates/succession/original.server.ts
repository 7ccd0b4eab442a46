import { describeCertificate } from "~/ca/certificate/describe.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { type Authority, findIssuer, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { authorityEntry } from "~/domain/authorities/catalogue";
import { getConfig } from "~/lib/config.server";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { type HierarchyName } from "~db/tables";
import { RENEWAL_YEARS, USAGE_FLAGS, type UsageFlag } from "../purchase/fields";
import { renewalExpiry, validityMessages, validityVerdict } from "./renewal.policy";

/** What a renewal for so many years comes to. */
export interface RenewalTerm {
  years: number;
  /** ISO moment: the new certificate's end, at most its issuer's. */
  expiryDate: string;
  /** The issuer does not cover all of the years. */
  endsWithIssuer: boolean;
  hierarchy: HierarchyName;
  /** The issuer's caption. */
  issuer: string;
  isIssuerKept: boolean;
  /** Why so many years cannot be chosen, or null. */
  refusal: string | null;
}

type IssuedRow = CertificateRow & { der: Buffer; expiryDate: string; authorityId: number };

/** The certificate that an order renews or replaces, with what the CSR of its successor is compared with. */
export interface Preceding {
  row: IssuedRow;
  /** As the certificate says it; the successor says the same. */
  subject: SubjectFields;
  /** Those in the certificate. */
  dnsNames: string[];
  keyAlgorithm: string;
}

/** The certificate that an order renews, with what its successor takes over. */
export interface Original extends Preceding {
  usage: UsageFlag[];
  /** One for each of RENEWAL_YEARS. */
  terms: RenewalTerm[];
  /** Why some years cannot be chosen, by the years. */
  refusals: Record<string, string>;
}

const covers = (authority: Authority, end: Date) => Date.parse(authority.notAfter) >= end.getTime();

/** The issuer is kept while it covers the new end, else it is the one of new orders (REN-04). */
function termOf(years: number, row: IssuedRow, own: Authority, current: Authority, now: Date): RenewalTerm {
  const end = renewalExpiry(new Date(row.expiryDate), years, now);
  const issuer = covers(own, end) ? own : current;
  const verdict = validityVerdict(new Date(row.expiryDate), years, now);
  return {
    years,
    expiryDate: new Date(Math.min(end.getTime(), Date.parse(issuer.notAfter))).toISOString(),
    endsWithIssuer: !covers(issuer, end),
    hierarchy: issuer.hierarchy,
    issuer: authorityEntry(issuer.name).caption,
    isIssuerKept: issuer.id === own.id,
    refusal: verdict === "other" ? null : validityMessages[verdict],
  };
}

/** A certificate as the one that another follows; null when it was never issued. */
export function readPreceding(row: CertificateRow): Preceding | null {
  const { der, expiryDate, authorityId } = row;
  if (!der || !expiryDate || authorityId === null) return null;
  const { subject, subjectAlternateName, keyAlgorithm } = describeCertificate(der);
  return {
    row: { ...row, der, expiryDate, authorityId },
    subject,
    dnsNames: subjectAlternateName.filter(({ type }) => type === "dns").map(({ value }) => value),
    keyAlgorithm,
  };
}

/** The certificate as the original of a renewal that is ordered now; null when there is no certificate of this id. */
export async function findOriginal(db: DbOrTrx, id: number, now: Date): Promise<Original | null> {
  const row = await findCertificate(db, id);
  const preceding = row && readPreceding(row);
  if (!preceding) return null;
  const { authorityId } = preceding.row;
  const own = (await listAuthorities(db)).find((authority) => authority.id === authorityId);
  const current = await findIssuer(db, getConfig().certificates.hierarchy);
  if (!own || !current) throw new Error(`The issuers for a renewal of certificate ${id} are missing.`);
  const terms = RENEWAL_YEARS.map((years) => termOf(years, preceding.row, own, current, now));
  return {
    ...preceding,
    usage: USAGE_FLAGS.filter((flag) => row[flag]),
    terms,
    refusals: Object.fromEntries(terms.flatMap(({ years, refusal }) => (refusal ? [[String(years), refusal]] : []))),
  };
}

/** The chosen term of a renewal, with the certificate that it renews. */
export interface ChosenTerm extends RenewalTerm {
  certificateId: number;
}

/** In: one of RENEWAL_YEARS. */
export function chosenTerm({ row, terms }: Original, years: number): ChosenTerm {
  const term = terms.find((candidate) => candidate.years === years);
  if (!term) throw new RangeError(`There is no renewal for ${years} years.`);
  return { ...term, certificateId: row.id };
}
