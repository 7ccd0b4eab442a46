import { type Csr } from "~/ca/csr/read.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { issuerOfSuccessor } from "~/domain/authorities/life.policy";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { type Correction } from "~/domain/orders/corrections/correction";
import { type BrokenRule } from "~/lib/broken-rule";
import { PortalError } from "~/lib/errors";
import { foldName } from "~/lib/fold-text";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { USAGE_FLAGS, USAGE_LABELS, type UsageFlag } from "../purchase/fields";
import { namesOfOrder, namesToBe } from "../request/certified-names.server";
import { controlRules, controlRulesOfOthers } from "../request/confirmed-names.server";
import { type CsrDetails } from "../request/csr-import.schema";
import { csrDetailsOf, importCsr, notAccepted, refusedCsr, subjectDetails } from "../request/csr-import.service.server";
import { limitRulesOfContent } from "../request/issuer-limit-rules.server";
import { type SentCsr } from "../request/sent-csr.server";
import { captionedNames, type SubjectName } from "../request/subject-names.server";
import { CORRECTION_CODE } from "./correctable.server";
import { type Preceding } from "./original.server";
import { fixedDetailsRule, newKeyRule } from "./successor-csr.server";

/** What a customer sends to correct a certificate. */
export interface SentCorrection {
  csr: SentCsr;
  usage: readonly UsageFlag[];
}

/** A certificate as a correction orders it, with what differs from the one that it corrects. */
export interface CorrectedCertificate {
  csr: Csr;
  subject: SubjectFields;
  /** The requested alternative names. */
  requestedNames: SubjectName[];
  usage: UsageFlag[];
  changes: Correction[];
}

const NOTHING_DIFFERS =
  "Host and usage are those of the certificate: there is nothing to correct. A lost key is not corrected either: revoke the certificate and order a new one, or renew it once its renewal is open.";

const keyOf = ({ type, value }: SubjectName) => `${type} ${foldName(value)}`;

const isSameSet = (ones: readonly SubjectName[], others: readonly SubjectName[]): boolean =>
  [...new Set(ones.map(keyOf))].sort().join("\n") === [...new Set(others.map(keyOf))].sort().join("\n");

/** Returns the names without the OFTP ID, which stays the same. */
export const withoutSsid = (names: readonly SubjectName[]) => names.filter(({ type }) => type !== "ssid");

const namesText = (names: readonly SubjectName[]) =>
  captionedNames(withoutSsid(names))
    .map(({ caption, values }) => `${caption}: ${values.join(", ")}`)
    .join("; ");

const usageText = (usage: readonly UsageFlag[]) => usage.map((flag) => USAGE_LABELS[flag]).join(", ");

const usageOfRow = (row: Record<UsageFlag, boolean>) => USAGE_FLAGS.filter((flag) => row[flag]);

/** Returns the certificate that a CSR and the chosen usage lead to. What the CSR writes in other letters only stays as it is. */
function correctedBy({ row, subject }: Preceding, csr: Csr, chosen: readonly UsageFlag[]): CorrectedCertificate {
  const commonName = csr.subject.commonName?.trim() ?? "";
  const isHostKept = foldName(commonName) === foldName(row.commonName);
  const known = namesOfOrder(row);
  const host = isHostKept ? row.commonName : commonName;
  const names = namesToBe({ commonName: host, ssid: row.ssid, alternativeNames: csr.subjectAlternateName });
  const areNamesKept = isSameSet(known, names);
  const usage = USAGE_FLAGS.filter((flag) => chosen.includes(flag));
  const [usedFor, isFor] = [usageText(usageOfRow(row)), usageText(usage)];
  return {
    csr,
    subject: isHostKept ? subject : { ...subject, commonName },
    requestedNames: areNamesKept ? known : csr.subjectAlternateName.map(({ type, value }) => ({ type, value })),
    usage,
    changes: [
      ...(isHostKept ? [] : [{ label: "Common name", from: row.commonName, to: commonName }]),
      ...(areNamesKept ? [] : [{ label: "Alternative names", from: namesText(known), to: namesText(names) }]),
      ...(usedFor === isFor ? [] : [{ label: "Usage", from: usedFor, to: isFor }]),
    ],
  };
}

/** Returns the details of the corrected certificate, as pages show them. */
export const correctedDetails = (
  { row }: Preceding,
  { csr, subject, requestedNames }: CorrectedCertificate,
): CsrDetails => ({
  ...csrDetailsOf(csr),
  ...subjectDetails(subject),
  serialNumber: row.ssid ?? "",
  ssid: row.ssid,
  alternativeNames: requestedNames,
});

/** Returns the rules about the names and the usage of a correction that its company or its CA does not keep. */
async function contentRules(preceding: Preceding, corrected: CorrectedCertificate, now: Date): Promise<BrokenRule[]> {
  const { row } = preceding;
  const details = correctedDetails(preceding, corrected);
  const end = new Date(row.expiryDate);
  const issuer = issuerOfSuccessor(await listAuthorities(getDb()), { ...row, end }, now);
  const rules = [
    ...(await controlRulesOfOthers(details, namesOfOrder(row), row, now)),
    ...(await controlRules(details, row.companyId, now)),
    ...(issuer ? limitRulesOfContent(issuer, { ...corrected, ssid: row.ssid }) : []),
  ];
  return [...new Map(rules.map((rule) => [rule.message, rule])).values()];
}

/**
 * Returns the corrected certificate. Throws a PortalError for the field `csr` that names everything that is wrong, and a PortalError (429)
 * for the used field when the account has tried too many CSRs.
 */
export async function readCorrection(
  preceding: Preceding,
  { csr: { input, field }, usage }: SentCorrection,
  user: SessionUser,
  now: Date,
): Promise<CorrectedCertificate> {
  const read = await importCsr(input, requesterOf(user), preceding.row.ssid);
  const code = CORRECTION_CODE;
  if (!read.ok) throw refusedCsr(read, { code, field: read.retryAfter === undefined ? "csr" : field });
  const corrected = correctedBy(preceding, read.csr, usage);
  const fixed = fixedDetailsRule(read.csr, preceding);
  const broken = [...(fixed ? [fixed] : []), ...(await contentRules(preceding, corrected, now))];
  if (broken.length > 0) throw refusedCsr(notAccepted(broken), { code, field: "csr" });
  if (corrected.changes.length === 0) throw new PortalError(NOTHING_DIFFERS, { code, field: "csr" });
  return corrected;
}

/** Throws a PortalError for the field `csr` when the key of a correction is not new, or is of another type. */
export async function requireNewCorrectionKey(db: DbOrTrx, csr: Csr, preceding: Preceding): Promise<void> {
  const broken = await newKeyRule(db, csr, preceding);
  if (broken) throw refusedCsr(notAccepted([broken]), { code: CORRECTION_CODE, field: "csr" });
}
