import { certifiedNames } from "~/ca/certificate/profile.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { readSubjectNames, type SubjectName } from "./subject-names.server";

interface Request {
  commonName: string;
  /** The OFTP ID, from the CSR or from the form. */
  ssid: string | null;
  /** The alternative names that were requested. */
  alternativeNames: readonly SubjectName[];
}

/** Returns the names that the certificate of a request will have. Issuing uses the same function. */
export const namesToBe = ({ commonName, ssid, alternativeNames }: Request): SubjectName[] =>
  certifiedNames(alternativeNames as readonly AlternateName[], ssid, commonName);

/** Returns the names that the certificate of a stored order will have. */
export const namesOfOrder = (row: Pick<CertificateRow, "commonName" | "ssid" | "subjectAlternateName">) =>
  namesToBe({ ...row, alternativeNames: readSubjectNames(row.subjectAlternateName) });
