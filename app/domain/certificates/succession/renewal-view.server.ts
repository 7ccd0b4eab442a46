import { foldName } from "~/lib/fold-text";
import { colonHex } from "~/lib/hex";
import { type CsrDetails } from "../request/csr-import.schema";
import { subjectDetails } from "../request/csr-import.service.server";
import { readSubjectNames } from "../request/subject-names.server";
import { type Original, type Preceding } from "./original.server";

/** Returns the subject that the successor takes over, as pages show it. */
const subjectOf = ({ row, subject }: Preceding) => ({
  ...subjectDetails(subject),
  serialNumber: row.ssid ?? "",
  ssid: row.ssid,
  alternativeNames: readSubjectNames(row.subjectAlternateName),
});

/** Returns the details of a successor: the original's subject and names with the key of the CSR. */
export const certifiedDetails = (details: CsrDetails, original: Preceding): CsrDetails => ({
  ...details,
  ...subjectOf(original),
});

/** Returns the details of the certificate that a CSR leads to: those of the CSR, or of the certificate that it is to follow. */
export const detailsToBe = (details: CsrDetails, original: Preceding | null): CsrDetails =>
  original ? certifiedDetails(details, original) : details;

/** The parts of a CSR that are not compared with the original, with their labels. */
const UNUSED = [
  ["organisationUnit", "Organisation unit"],
  ["state", "State"],
  ["email", "Email address"],
] as const;

/** Returns where a renewal's CSR differs from the original without being refused. The successor keeps the original's values. */
function unusedDetails(details: CsrDetails, original: Original) {
  const kept = subjectOf(original);
  const isOther = (one: string, other: string) => foldName(one) !== foldName(other);
  const subject = UNUSED.filter(([field]) => isOther(details[field], kept[field])).map(([field, label]) => ({
    label,
    received: details[field],
    kept: kept[field],
  }));
  const others = (names: CsrDetails["alternativeNames"]) =>
    names
      .filter(({ type }) => type !== "dns" && type !== "ssid")
      .map(({ value }) => value)
      .sort()
      .join("; ");
  const [received, keptNames] = [others(details.alternativeNames), others(kept.alternativeNames)];
  if (!isOther(received, keptNames)) return subject;
  return [...subject, { label: "Other alternative names", received, kept: keptNames }];
}

/** Returns what the order step shows of the certificate to renew. `details` are those of the imported CSR, or null. */
export const renewalView = (original: Original, details: CsrDetails | null) => ({
  certificateId: original.row.id,
  serialNumber: colonHex(original.row.serialNumber ?? ""),
  expiryDate: original.row.expiryDate,
  usage: original.usage,
  ssid: original.row.ssid,
  terms: original.terms,
  refusals: original.refusals,
  unused: details ? unusedDetails(details, original) : [],
});

export type RenewalView = ReturnType<typeof renewalView>;
