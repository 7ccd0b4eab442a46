import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { type ChangedMeanwhile, quoted, storedNow } from "~/domain/changed-meanwhile";
import { requireMember } from "~/domain/companies/membership.server";
import { mayFor } from "~/domain/companies/roles.policy";
import { withOpened } from "~/domain/merge-form.server";
import { notFound } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findCertificateNotes, storeCertificateNotes } from "~db/repositories/certificate-notes.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { findVisibleCertificate } from "../visible.server";
import { NOTES_LABELS } from "./notes-fields";
import { type CertificateNotesForm } from "./notes.schema";

/** What the company of a certificate has noted about it. */
export interface CertificateNotes {
  notes: string;
  tags: string[];
  /** 0 when nothing was ever noted. */
  version: number;
  /** An ISO timestamp, or null when nothing was ever noted. */
  changedAt: string | null;
}

async function readNotes(db: DbOrTrx, certificateId: number): Promise<CertificateNotes> {
  const row = await findCertificateNotes(db, certificateId);
  if (!row) return { notes: "", tags: [], version: 0, changedAt: null };
  const { notes, tags, version, changedAt } = row;
  return { notes, tags: JSON.parse(tags) as string[], version, changedAt };
}

const HINT =
  "The company’s own words, for what the certificate does not say. Everybody in the company reads them, and so do staff who see customers. A renewal or replacement begins with a copy.";

/** Returns the tags as people type them. */
export const tagsText = (tags: readonly string[]): string => tags.join(", ");

/** Returns the notes about a certificate for its page, with the values of the form for those who may change them. */
export async function notesFor(user: SessionUser, row: CertificateRow) {
  const stored = await readNotes(getDb(), row.id);
  const { notes, tags, version } = stored;
  const values = { notes, tags: tagsText(tags), seen: String(version) };
  return { ...stored, hint: HINT, form: mayFor(user, row, "note-certificates") ? withOpened(values) : null };
}

export type ShownNotes = Awaited<ReturnType<typeof notesFor>>;

/** Returns the notes about a certificate for a JSON call. Throws a PortalError (404) when it is missing or belongs to somebody else. */
export async function getCertificateNotes(user: SessionUser, id: number): Promise<CertificateNotes> {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row) throw notFound();
  return readNotes(getDb(), id);
}

const textsOf = ({ notes, tags }: Pick<CertificateNotes, "notes" | "tags">) => ({ notes, tags: tagsText(tags) });

/**
 * Changes the notes about a certificate. What is stored already changes nothing. Returns the differences when nothing was saved, because
 * somebody else changed the notes since they were read, otherwise null. Throws a PortalError (404) when the certificate is missing or
 * belongs to somebody else, and (403) when the role of the user does not allow it.
 */
export async function changeCertificateNotes(
  user: SessionUser,
  id: number,
  { seen, ...change }: CertificateNotesForm,
  now = new Date(),
): Promise<ChangedMeanwhile | null> {
  if (!(await findVisibleCertificate(getDb(), id, user))) throw notFound();
  return inTransaction(async (trx) => {
    const row = await lockCertificate(trx, id);
    if (!row) throw notFound();
    await requireMember(trx, user, row, "note-certificates");
    const stored = await readNotes(trx, id);
    const [before, after] = [textsOf(stored), textsOf(change)];
    const changed = (["notes", "tags"] as const).filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return null;
    if (seen !== stored.version) {
      const differing = changed.map((name) => storedNow(NOTES_LABELS[name], quoted(before[name])));
      return { differing, version: String(stored.version) };
    }
    const { notes, tags } = change;
    await storeCertificateNotes(trx, id, { notes, tags: JSON.stringify(tags), changedBy: user.id, changedAt: now });
    const message = `Changed the ${changed.join(" and the ")} about the certificate for ${row.commonName}.`;
    const { userId, orderId, serialNumber: reference } = row;
    const about = { userId, orderId, certificateId: id, reference };
    await recordAudit(trx, { actor: user.actor, event: "certificate.notes-changed", message, ...about }, now);
    return null;
  });
}
