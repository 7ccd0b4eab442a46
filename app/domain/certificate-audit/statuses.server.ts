import { type KnownStatus, statusReader } from "~/domain/ocsp/status.server";
import { getDb } from "~db/connection.server";
import { type RowToAudit } from "~db/repositories/certificate-audits.server";
import { findCertificateStates } from "~db/repositories/certificate-states.server";
import { type PublishedCrl, type PublishedCrls } from "./crls.server";
import { type AuditRule, certificateSubject, type FoundProblem } from "./rules";

/** For how long after a revocation a CRL may lack it while no publication is recorded, in milliseconds. It is usually published at once. */
const PUBLISHED_WITHIN_MS = 60 * 60_000;

/** The latest number of the CRLs that a CA publishes, and when the audit read them. */
interface Published {
  latest: number;
  now: Date;
}

/**
 * Returns whether a CRL must contain a revoked certificate. `above` is the number of the base CRL that a delta CRL adds to. A number above all
 * published CRLs was changed by somebody, or the CRLs that had it are gone.
 */
function mustContain(
  crl: PublishedCrl,
  { firstCrlNumber, updatedAt, publishedAt, expiryDate }: RowToAudit,
  { above, latest, now }: Published & { above: number },
): boolean {
  if (expiryDate !== null && expiryDate < crl.thisUpdate) return false;
  if (firstCrlNumber !== null && firstCrlNumber <= crl.number) return firstCrlNumber > above;
  const isKnown = firstCrlNumber !== null && firstCrlNumber <= latest;
  const isPublished = publishedAt !== null && Date.parse(publishedAt) < now.getTime();
  return above === 0 && !isKnown && (isPublished || Date.parse(updatedAt) < now.getTime() - PUBLISHED_WITHIN_MS);
}

/** Returns what is wrong with a certificate on a CRL, or null. */
function crlProblem(
  crl: PublishedCrl,
  row: RowToAudit,
  published: Published,
): { rule: AuditRule; cause: string } | null {
  const entry = crl.entries.get(row.serialNumber ?? "");
  if (row.status !== "Revoked") {
    const cause = `It is on ${crl.caption}, number ${crl.number}. In the database it is ${row.status}.`;
    return entry ? { rule: "surplus-on-crl", cause } : null;
  }
  if (!entry) {
    const cause = `It is revoked in the database, but not on ${crl.caption}, number ${crl.number}.`;
    return mustContain(crl, row, { ...published, above: crl.baseNumber ?? 0 })
      ? { rule: "missing-from-crl", cause }
      : null;
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
function problemsOfStatus(crls: readonly PublishedCrl[], row: RowToAudit, known: KnownStatus | null, now: Date) {
  if (row.status === "Revoked" && row.revokedCertificateDer === null) return [incompleteRevocation(crls, row, known)];
  const ocsp = ocspProblem(row, known);
  const published = { latest: Math.max(...crls.map(({ number }) => number)), now };
  return [
    ...crls.flatMap((crl) => crlProblem(crl, row, published) ?? []),
    ...(ocsp === null ? [] : [{ rule: "ocsp-differs" as const, cause: ocsp }]),
  ];
}

/** Compares what the published CRLs and OCSP say about these certificates with the database. */
export async function auditStatuses(
  rows: readonly RowToAudit[],
  crls: ReadonlyMap<number, PublishedCrls>,
  now: Date,
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
    return problemsOfStatus(published, row, known[index] ?? null, now).map((one) => ({
      ...one,
      subject: certificateSubject(row.id),
      certificateId: row.id,
    }));
  });
}
