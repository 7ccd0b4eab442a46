import { certifiedSubject } from "~/ca/certificate/profile.server";
import { type Csr } from "~/ca/csr/read.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { foldForSearch } from "~/lib/fold-text";
import { readSubjectNames } from "../request/subject-names.server";

/** Returns the subject columns of a certificate. The values are those that will be certified, without blanks around them. */
export function subjectColumns(requested: SubjectFields) {
  const subject = certifiedSubject(requested, null);
  return {
    commonName: subject.commonName ?? "",
    organisation: subject.organisation ?? "",
    organisationUnit: subject.organisationUnit ?? null,
    locality: subject.locality ?? null,
    state: subject.state ?? null,
    country: subject.country ?? "",
    email: subject.email ?? null,
  };
}

/** Returns the columns of a certificate that store the CSR and its key. */
export const requestColumns = (csr: Csr) => ({
  csr: Buffer.from(csr.der),
  csrSha256: csr.sha256,
  publicKeySha256: csr.spkiSha256,
  keyIdentity: csr.keyIdentity,
});

/** Returns the text that the list page searches: common name, alternative names, SSID and serial number, folded, without duplicates. */
export function searchTextOf(certificate: {
  commonName: string;
  names: readonly string[];
  ssid?: string | null;
  serialNumber?: string | null;
}): string {
  const { commonName, names, ssid, serialNumber } = certificate;
  const words = [commonName, ...names, ssid, serialNumber].filter(Boolean).map((word) => foldForSearch(String(word)));
  return [...new Set(words)].join(" ");
}

/** Returns the text by which certificates are found by their authentication contact: name and email address, folded. */
export const contactSearchTextOf = ({ name, email }: { name: string; email: string }): string =>
  foldForSearch(`${name} ${email}`);

/** The kinds of names that people search for. */
const SEARCHED = ["dns", "ip", "rfc822", "uri", "ssid"];

/** Returns the columns by which the certificate list is sorted and searched. */
export function searchColumns(holder: { commonName: string; subjectAlternateName: string; ssid: string | null }) {
  const { commonName, ssid } = holder;
  const names = readSubjectNames(holder.subjectAlternateName)
    .filter(({ type }) => SEARCHED.includes(type))
    .map(({ value }) => value);
  return { sortName: foldForSearch(commonName), searchText: searchTextOf({ commonName, names, ssid }) };
}
