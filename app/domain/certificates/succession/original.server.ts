import { describeCertificate } from "~/ca/certificate/describe.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { issuerOfSuccessor } from "~/domain/authorities/life.policy";
import { getConfig } from "~/lib/config.server";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { type HierarchyName } from "~db/tables";
import { RENEWAL_YEARS, USAGE_FLAGS, type UsageFlag } from "../purchase/fields";
import { limitRulesOfSuccessor } from "../request/issuer-limit-rules.server";
import { renewalExpiry, validityMessages, validityVerdict } from "./renewal.policy";

/** The result of a renewal for a number of years. */
export interface RenewalTerm {
  years: number;
  /** The end of the new certificate as an ISO timestamp, no later than the end of its issuer. */
  expiryDate: string;
  /** True when the issuer's validity does not cover all of the years. */
  endsWithIssuer: boolean;
  hierarchy: HierarchyName;
  /** The caption of the issuer. */
  issuer: string;
  isIssuerKept: boolean;
  /** Why this number of years cannot be chosen, or null. */
  refusal: string | null;
}

type IssuedRow = CertificateRow & { der: Buffer; expiryDate: string; authorityId: number };

/** The certificate that an order renews or replaces, with the data that the CSR of its successor is compared with. */
export interface Preceding {
  row: IssuedRow;
  /** The subject in the certificate. The successor has the same subject. */
  subject: SubjectFields;
  /** The DNS names in the certificate. */
  dnsNames: string[];
  keyAlgorithm: string;
}

/** The certificate that an order renews, with the data that its successor takes over. */
export interface Original extends Preceding {
  usage: UsageFlag[];
  /** One term for each of RENEWAL_YEARS. */
  terms: RenewalTerm[];
  /** The reasons why some years cannot be chosen, by year. */
  refusals: Record<string, string>;
}

/**
 * Returns the term of a renewal. The issuer stays the same while it renews and covers the new end; otherwise the issuer of new orders is
 * used (REN-04).
 */
function termOf(
  years: number,
  row: IssuedRow,
  own: Authority,
  authorities: readonly Authority[],
  now: Date,
): RenewalTerm {
  const end = renewalExpiry(new Date(row.expiryDate), years, now);
  const { hierarchy } = getConfig().certificates;
  // Without an issuer for new orders, nothing would be offered; approving says what is missing.
  const issuer = issuerOfSuccessor(authorities, { authorityId: own.id, hierarchy, end }, now) ?? own;
  const verdict = validityVerdict(new Date(row.expiryDate), years, now);
  const [limit] = limitRulesOfSuccessor(row, issuer);
  return {
    years,
    expiryDate: new Date(Math.min(end.getTime(), Date.parse(issuer.notAfter))).toISOString(),
    endsWithIssuer: Date.parse(issuer.notAfter) < end.getTime(),
    hierarchy: issuer.hierarchy,
    issuer: issuer.caption,
    isIssuerKept: issuer.id === own.id,
    refusal: verdict === "other" ? (limit?.message ?? null) : validityMessages[verdict],
  };
}

/** Reads the certificate that another one follows. Returns null when it was never issued. */
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

/** Returns a certificate as the original of a renewal that is ordered now, or null when no certificate with this id was issued. */
export async function findOriginal(db: DbOrTrx, id: number, now: Date): Promise<Original | null> {
  const row = await findCertificate(db, id);
  const preceding = row && readPreceding(row);
  if (!preceding) return null;
  const { authorityId } = preceding.row;
  const authorities = await listAuthorities(db);
  const own = authorities.find((authority) => authority.id === authorityId);
  if (!own) throw new Error(`The issuer of certificate ${id} is missing.`);
  const terms = RENEWAL_YEARS.map((years) => termOf(years, preceding.row, own, authorities, now));
  return {
    ...preceding,
    usage: USAGE_FLAGS.filter((flag) => row[flag]),
    terms,
    refusals: Object.fromEntries(terms.flatMap(({ years, refusal }) => (refusal ? [[String(years), refusal]] : []))),
  };
}

/** The chosen term of a renewal, with the id of the certificate that it renews. */
export interface ChosenTerm extends RenewalTerm {
  certificateId: number;
}

/** Returns the term for a number of years. Throws a RangeError when it is not one of RENEWAL_YEARS. */
export function chosenTerm({ row, terms }: Original, years: number): ChosenTerm {
  const term = terms.find((candidate) => candidate.years === years);
  if (!term) throw new RangeError(`There is no renewal for ${years} years.`);
  return { ...term, certificateId: row.id };
}
