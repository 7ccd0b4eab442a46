import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Correction, correctionNumber, parseCorrections } from "~/domain/orders/corrections/correction";
import { orderNumber } from "~/domain/orders/order-number";
import { formatDateTime } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findCorrectionByCertificate } from "~db/repositories/order-corrections.server";
import { listSuccessors } from "~db/repositories/renewals.server";
import { findCorrectionOf, SUPERSEDED_AFTER_DAYS } from "./correction.policy";

/** A correction as the order of the corrected certificate states it. */
export interface StatedCorrection {
  number: string;
  /** The certificate that it corrects. */
  corrects: number;
  changes: readonly Correction[];
}

/** Returns the correction that ordered a certificate, or null. */
export async function findStatedCorrection(
  row: CertificateRow,
  db: DbOrTrx = getDb(),
): Promise<StatedCorrection | null> {
  if (!row.isCorrection || row.previousCertificateId === null) return null;
  const found = await findCorrectionByCertificate(db, row.id);
  if (!found) return null;
  return {
    number: correctionNumber(found),
    corrects: row.previousCertificateId,
    changes: parseCorrections(found.changes),
  };
}

/** Returns what a correction changes, as a sentence for each field. */
export const changesText = ({ changes }: StatedCorrection): string =>
  changes.map(({ label, from, to }) => `${label}: ${from || "none"} → ${to || "none"}.`).join(" ");

/** What the page of a certificate says about its correction. */
interface NoteOfCorrection {
  title: string;
  text: string;
  link: { to: string; label: string } | null;
}

const linkTo = (id: number) => ({ to: paths.certificateDetails(id), label: `See certificate ${id}` });

/** Returns what happens, or has happened, to the certificate that a correction supersedes. */
function fateOf({ id, status, revocationDate }: CertificateRow): string {
  if (status === "Revoked") return `Certificate ${id} has been revoked.`;
  if (status === "RequestRevoke")
    return `Certificate ${id} is revoked as superseded once the new one has been downloaded, at the latest on ${formatDateTime(revocationDate)} UTC.`;
  return "";
}

async function noteOfCorrection(row: CertificateRow): Promise<NoteOfCorrection | null> {
  const stated = await findStatedCorrection(row);
  const corrected = stated && (await findCertificate(getDb(), stated.corrects));
  if (!stated || !corrected) return null;
  const fate =
    row.status === "Pending"
      ? `Once it is issued and downloaded, at the latest ${SUPERSEDED_AFTER_DAYS} days after the issue, certificate ${stated.corrects} is revoked as superseded.`
      : fateOf(corrected);
  return {
    title: `Correction ${stated.number} of certificate ${stated.corrects}`,
    text: [changesText(stated), fate].filter(Boolean).join(" "),
    link: linkTo(stated.corrects),
  };
}

/** Returns what the page of a certificate says about the correction that it is, or that corrects it, as far as this user may see both. */
export async function correctionNoteOf(user: SessionUser, row: CertificateRow): Promise<NoteOfCorrection | null> {
  const followers = (await listSuccessors(getDb(), [row.id])).filter((one) => maySee(user, one));
  const { pending, issued } = findCorrectionOf(row.id, followers);
  if (issued) {
    const text = fateOf(row) || `Use certificate ${issued.id}.`;
    return { title: `Certificate ${issued.id} corrects this one.`, text, link: linkTo(issued.id) };
  }
  if (pending)
    return {
      title: `Order ${orderNumber(pending.orderId)} corrects this certificate.`,
      text: `It stays valid until the new certificate is issued. Once that is downloaded, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue, this one is revoked as superseded.`,
      link: { to: paths.order(pending.orderId), label: "Follow the order" },
    };
  return row.status === "Rejected" || row.status === "Cancelled" ? null : noteOfCorrection(row);
}
