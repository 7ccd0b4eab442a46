import { byClient } from "~/domain/companies/people.server";
import { type DbOrTrx } from "~db/connection.server";
import { listCorrectionDeeds } from "~db/repositories/audit-entries.server";
import { listCertificatesById } from "~db/repositories/certificates.server";
import { listCorrectionsOf, type OrderCorrectionRow } from "~db/repositories/order-corrections.server";
import { listUsersById } from "~db/repositories/users.server";
import { type CertificateStatus } from "~db/tables";
import { type OrderDocument } from "../invoices/invoice-content";
import { documentsOf } from "../invoices/order-documents.server";
import { type Correction, correctionNumber, parseCorrections } from "./correction";

/** A correction as pages, calls and files show it. */
export interface StatedOrderCorrection {
  number: string;
  kind: OrderCorrectionRow["kind"];
  /** An ISO timestamp. */
  at: string;
  /** The name of the person who made it, with the API client that acted for them. */
  by: string;
  /** The email of the administrator who acted as this person, or null. It is for staff only. */
  actingFor: string | null;
  changes: Correction[];
  /** The credit note and the invoice that it made. */
  documents: OrderDocument[];
  /** The certificate that it ordered, or null. */
  certificateId: number | null;
  /** The status of that certificate, or null. */
  certificateStatus: CertificateStatus | null;
}

/** Returns the corrections of an order, the oldest first. */
export async function listStatedCorrections(db: DbOrTrx, orderId: number): Promise<StatedOrderCorrection[]> {
  const rows = await listCorrectionsOf(db, [orderId]);
  if (rows.length === 0) return [];
  const people = new Map(
    (
      await listUsersById(
        db,
        rows.map(({ madeBy }) => madeBy),
      )
    ).map((one) => [one.id, one]),
  );
  const documents = await documentsOf(db, orderId);
  const orderedIds = rows.flatMap(({ certificateId }) => certificateId ?? []);
  const ordered = new Map((await listCertificatesById(db, orderedIds)).map((one) => [one.id, one]));
  const deeds = new Map((await listCorrectionDeeds(db, orderId)).map((deed) => [deed.reference, deed]));
  return rows.map((row) => {
    const number = correctionNumber(row);
    const person = people.get(row.madeBy);
    const deed = deeds.get(number);
    return {
      number,
      kind: row.kind,
      at: row.createdAt,
      by: person ? byClient(`${person.firstName} ${person.lastName}`, deed?.clientName) : "",
      actingFor: deed?.impersonatorEmail ?? null,
      changes: parseCorrections(row.changes),
      documents: documents.filter(({ id }) => id === row.creditNoteId || id === row.invoiceId),
      certificateId: row.certificateId,
      certificateStatus: ordered.get(row.certificateId ?? 0)?.status ?? null,
    };
  });
}
