import { inWorker } from "~/domain/workers/pool.server";
import { IN_FORCE, type RowToAudit } from "~db/repositories/certificate-audits.server";
import { certificateSubject, type FoundProblem } from "./rules";

/** Returns whether the columns of a row say that its certificate is in force, or revoked and not over. */
const isValid = ({ status, expiryDate }: RowToAudit, now: Date): boolean =>
  IN_FORCE.includes(status) || (status === "Revoked" && (expiryDate === null || expiryDate > now.toISOString()));

/** Returns the rows whose columns say that their certificates have not ended, and the others. */
export const sortedByEnd = (rows: readonly RowToAudit[], now: Date) => ({
  valid: rows.filter((row) => isValid(row, now)),
  ended: rows.filter((row) => !isValid(row, now)),
});

/** Says how the columns of a row end its certificate: a revoked one ends at its expiry date, the others with their status. */
const endInDatabase = (status: string, expiryDate: string | null): string =>
  status === "Revoked" && expiryDate !== null
    ? `In the database it ended on ${expiryDate.slice(0, 10)}.`
    : `In the database its status is ${status}.`;

/**
 * Finds certificates of which the database says that they have ended, or that they were never issued, although they are valid. Everybody with
 * the file can use such a certificate, and nobody is told when its key is compromised.
 */
export async function auditEnded(rows: readonly RowToAudit[], now: Date): Promise<FoundProblem[]> {
  const certificates = rows.flatMap((row) => (row.der === null ? [] : [{ ...row, der: row.der }]));
  if (certificates.length === 0) return [];
  const ends = await inWorker(
    "readEnds",
    certificates.map(({ der }) => der),
  );
  return certificates.flatMap(({ id, status, expiryDate }, index) => {
    const end = ends[index] ?? null;
    if (end !== null && end <= now.toISOString()) return [];
    const cause =
      end === null
        ? `In the database its status is ${status}. The certificate there cannot be read.`
        : `${endInDatabase(status, expiryDate)} The certificate is valid until ${end.slice(0, 10)}.`;
    const rule = end === null ? "unreadable" : "row-differs";
    return [{ rule, subject: certificateSubject(id), certificateId: id, cause } as const];
  });
}
