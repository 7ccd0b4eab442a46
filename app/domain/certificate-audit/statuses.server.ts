import { type KnownStatus, statusReader } from "~/domain/ocsp/status.server";
import { getDb } from "~db/connection.server";
import { type RowToAudit } from "~db/repositories/certificate-audits.server";
import { findCertificateStates } from "~db/repositories/certificate-states.server";
import { type PublishedCrl, type PublishedCrls } from "./crls.server";
import { type AuditRule, certificateSubject, type FoundProblem } from "./rules";

/** For how long after a revocation a CRL may lack it without a number, in milliseconds. It is usually published at once. */
const PUBLISHED_WITHIN_MS = 60 * 60_000;

/** Returns whether a CRL must contain a revoked certificate. `above` is the number of the base CRL that a delta CRL adds to. */
function mustContain(crl: PublishedCrl, { firstCrlNumber, updatedAt, expiryDate }: RowToAudit, above: number): boolean {
  if (expiryDate !== null && expiryDate < crl.thisUpdate) return false;
  if (firstCrlNumber !== null && firstCrlNumber <= crl.number) return firstCrlNumber > above;
  // It was revoked long before the CRL began. A number that is not there, or is too high, was changed by somebody.
  return above === 0 && Date.parse(updatedAt) < Date.parse(crl.thisUpdate) - PUBLISHED_WITHIN_MS;
}

/** Returns what is wrong with a certificate on a CRL, or null. */
function crlProblem(crl: PublishedCrl, row: RowToAudit): { rule: AuditRule; cause: string } | null {
  const entry = crl.entries.get(row.serialNumber ?? "");
  if (row.status !== "Revoked") {
    const cause = `It is on ${crl.caption}, number ${crl.number}. In the database it is ${row.status}.`;
    return entry ? { rule: "surplus-on-crl", cause } : null;
  }
  if (!entry) {
    const cause = `It is revoked in the database, but not on ${crl.caption}, number ${crl.number}.`;
    return mustContain(crl, row, crl.baseNumber ?? 0) ? { rule: "missing-from-crl", cause } : null;
  }
  const isSame = row.revokedCertificateDer !== null && Buffer.compare(entry, row.revokedCertificateDer) === 0;
  return isSame
    ? null
    : { rule: "missing-from-crl", cause: `Its entry on ${crl.caption} differs from that in the database.` };
}

/** Returns a sentence when OCSP answers something else than the database says, or null. */
function ocspProblem({ status, serialNumber }: RowToAudit, known: KnownStatus | null): string | null {
  if (!known) return `OCSP does not know the serial number ${serialNumber}.`;
  const isRevoked = status === "Revoked";
  if ((known.status.status === "revoked") === isRevoked) return null;
  return `OCSP answers '${known.status.status}'. In the database the certificate is ${status}.`;
}

const WITHOUT_ENTRY = "In the database the certificate is revoked, but has no entry for the CRLs.";

/** Returns the problem of a revocation without an entry for the CRLs, with its consequences. */
function incompleteRevocation(crls: readonly PublishedCrl[], { serialNumber }: RowToAudit, known: KnownStatus | null) {
  const without = crls.filter(({ entries }) => !entries.has(serialNumber ?? "")).map(({ caption }) => caption);
  const answer = known?.status.status ?? "unknown";
  const causes = [
    WITHOUT_ENTRY,
    ...(without.length > 0 ? [`It is not on ${without.join(" and ")}.`] : []),
    ...(answer === "revoked" ? [] : [`OCSP answers '${answer}'.`]),
  ];
  return { rule: "revocation-incomplete" as const, cause: causes.join(" ") };
}

/** Returns what is wrong with a certificate on the CRLs and at OCSP. */
function problemsOfStatus(crls: readonly PublishedCrl[], row: RowToAudit, known: KnownStatus | null) {
  if (row.status === "Revoked" && row.revokedCertificateDer === null) return [incompleteRevocation(crls, row, known)];
  const ocsp = ocspProblem(row, known);
  return [
    ...crls.flatMap((crl) => crlProblem(crl, row) ?? []),
    ...(ocsp === null ? [] : [{ rule: "ocsp-differs" as const, cause: ocsp }]),
  ];
}

/** Compares what the published CRLs and OCSP say about these certificates with the database. */
export async function auditStatuses(
  rows: readonly RowToAudit[],
  crls: ReadonlyMap<number, PublishedCrls>,
): Promise<FoundProblem[]> {
  if (rows.length === 0) return [];
  const find = statusReader();
  const known = await Promise.all(rows.map(({ serialNumber }) => find(serialNumber ?? "")));
  const states = await findCertificateStates(
    getDb(),
    rows.map(({ serialNumber }) => serialNumber ?? ""),
  );
  return rows.flatMap((row, index) => {
    // A certificate that is revoked while it is audited is not compared; the next run does it.
    if (states.get(row.serialNumber ?? "")?.status !== row.status) return [];
    const { base = null, delta = null } = crls.get(row.authorityId ?? 0) ?? {};
    const published = [base, delta].filter((crl) => crl !== null);
    return problemsOfStatus(published, row, known[index] ?? null).map((one) => ({
      ...one,
      subject: certificateSubject(row.id),
      certificateId: row.id,
    }));
  });
}
