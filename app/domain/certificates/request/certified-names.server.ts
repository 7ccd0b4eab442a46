import { certifiedNames } from "~/ca/certificate/profile.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { readSubjectNames, type SubjectName } from "./subject-names";

interface Request {
  commonName: string;
  /** The OFTP ID, wherever it comes from. */
  ssid: string | null;
  /** Those that were asked for. */
  alternativeNames: readonly SubjectName[];
}

/** The names that the certificate of a request will have, as issuing makes them. */
export const namesToBe = ({ commonName, ssid, alternativeNames }: Request): SubjectName[] =>
  certifiedNames(alternativeNames as readonly AlternateName[], ssid, commonName);

/** The same of an order as it is stored. */
export const namesOfOrder = (row: Pick<CertificateRow, "commonName" | "ssid" | "subjectAlternateName">) =>
  namesToBe({ ...row, alternativeNames: readSubjectNames(row.subjectAlternateName) });
