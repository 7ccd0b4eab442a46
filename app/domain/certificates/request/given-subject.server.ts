import { type Csr, type CsrReadResult, readCsr } from "~/ca/csr/read.server";
import { type SubjectFields, toNameAttributes } from "~/ca/x509/name.server";
import { type CertificateRow } from "~db/repositories/certificates.server";

/** Returns whether a CSR states the part of the subject that every certificate has. */
export const hasWholeSubject = ({ subject: { commonName, organisation, country } }: Pick<Csr, "subject">): boolean =>
  [commonName, organisation, country].every((value) => value?.trim());

/** Returns a CSR with this subject in the place of its own. Its bytes and its signature stay as they are. */
export const withSubject = (csr: Csr, subject: SubjectFields): Csr => ({
  ...csr,
  subject,
  subjectAttributes: toNameAttributes(subject),
});

/**
 * Reads the CSR of an order. Only under a standing authorisation an order is accepted whose CSR does not state the whole subject: its
 * subject is that of the authorisation, which the order's row has. The result must not be changed.
 */
export function readCsrOfOrder(row: CertificateRow): CsrReadResult {
  const read = readCsr(row.csr);
  if (!read.ok || hasWholeSubject(read.csr)) return read;
  const { commonName, organisation, country, organisationUnit, locality, state } = row;
  const more = { organisationUnit, locality, state };
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null));
  return { ok: true, csr: withSubject(read.csr, { commonName, organisation, country, ...given }) };
}
