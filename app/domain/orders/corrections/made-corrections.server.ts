import { type DbOrTrx } from "~db/connection.server";
import { listDocumentsOf } from "~db/repositories/invoices.server";
import { listCorrectionsOf, type OrderCorrectionRow } from "~db/repositories/order-corrections.server";
import { listUsersById } from "~db/repositories/users.server";
import { invoiceNumber, type OrderDocument } from "../invoices/invoice-content";
import { type Correction, correctionNumber, parseCorrections } from "./correction";

/** A correction as pages, calls and files show it. */
export interface StatedOrderCorrection {
  number: string;
  kind: OrderCorrectionRow["kind"];
  /** An ISO timestamp. */
  at: string;
  /** The name of the person who made it. */
  by: string;
  changes: Correction[];
  /** The credit note and the invoice that it made. */
  documents: OrderDocument[];
  /** The certificate that it ordered, or null. */
  certificateId: number | null;
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
  const documents = await listDocumentsOf(db, [orderId]);
  return rows.map((row) => {
    const person = people.get(row.madeBy);
    return {
      number: correctionNumber(row),
      kind: row.kind,
      at: row.createdAt,
      by: person ? `${person.firstName} ${person.lastName}` : "",
      changes: parseCorrections(row.changes),
      documents: documents
        .filter(({ id }) => id === row.creditNoteId || id === row.invoiceId)
        .map((one) => ({ id: one.id, kind: one.kind, number: invoiceNumber(one) })),
      certificateId: row.certificateId,
    };
  });
}
