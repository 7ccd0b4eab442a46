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

const WHAT_STAYS =
  "so that your partners' software recognises the new certificate as the successor of this one. The OFTP ID and the alternative names stay as well; only the key, the serial number and the dates are new.";
const OTHERWISE = "Where a partner's software does not recognise it, the partner must:";
const PARTNER_STEPS = [
  "import the new certificate beside the old one and assign it to your station",
  "replace the old one wherever its serial number, thumbprint or key is named",
  "encrypt files for you with the new one from the day on which you switch",
  "keep the old one until it ends, to verify what you signed with it before",
];

/** What partners will notice, when the new certificate has the issuer of the old one and when it has another. The page follows the years. */
const PARTNERS = {
  kept: {
    paragraphs: [`Subject, issuer and usage stay the same, ${WHAT_STAYS}`, OTHERWISE],
    steps: PARTNER_STEPS,
  },
  changed: {
    paragraphs: [
      "The issuer of the certificate being renewed does not cover the new validity period, so the new certificate has another one: partners have to trust it before you switch.",
      `Subject and usage stay the same, ${WHAT_STAYS}`,
      OTHERWISE,
    ],
    steps: [...PARTNER_STEPS, "trust the new issuing CA and its root, which the repository offers"],
  },
};

/** Returns what the order step shows of the certificate to renew. `details` are those of the imported CSR, or null. */
export const renewalView = (original: Original, details: CsrDetails | null) => ({
  certificateId: original.row.id,
  serialNumber: colonHex(original.row.serialNumber ?? ""),
  expiryDate: original.row.expiryDate,
  usage: original.usage,
  ssid: original.row.ssid,
  terms: original.terms,
  refusals: original.refusals,
  partners: PARTNERS,
  unused: details ? unusedDetails(details, original) : [],
});

export type RenewalView = ReturnType<typeof renewalView>;
