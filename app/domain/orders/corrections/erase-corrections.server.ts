import { type Trx } from "~db/connection.server";
import {
  listCorrectionsAbout,
  listCorrectionsBy,
  type OrderCorrectionRow,
  setCorrectedChanges,
} from "~db/repositories/order-corrections.server";
import { type Correction, parseCorrections } from "./correction";
import { CONTACT_TITLES, type CorrectedContact } from "./correction-fields";

/** The fields of a contact that are about the person. Company and address are the company's, and stay. */
const PERSONAL = ["Name", "Position", "Email", "Phone number"];

async function rewrite(trx: Trx, rows: readonly OrderCorrectionRow[], left: (change: Correction) => Correction) {
  for (const row of rows) {
    const changes = JSON.stringify(parseCorrections(row.changes).map(left));
    if (changes !== row.changes) await setCorrectedChanges(trx, row.id, changes);
  }
}

/** Replaces what corrections say about a contact of a certificate, who has been erased. */
export async function eraseCorrectedContact(
  trx: Trx,
  { id, contact }: { id: number; contact: CorrectedContact },
  pseudonym: string,
): Promise<void> {
  const labels = PERSONAL.map((field) => `${CONTACT_TITLES[contact]}: ${field}`);
  await rewrite(trx, await listCorrectionsAbout(trx, id), ({ label, ...values }) =>
    labels.includes(label) ? { label, from: pseudonym, to: pseudonym } : { label, ...values },
  );
}

/**
 * Replaces a person in the corrections that the person made or that are of the person's orders.
 *
 * @param inText Replaces the names, addresses and numbers of the person in a text.
 */
export async function eraseFromCorrections(
  trx: Trx,
  ids: readonly number[],
  inText: (text: string) => string,
): Promise<void> {
  await rewrite(trx, await listCorrectionsBy(trx, ids), ({ label, from, to }) => ({
    label,
    from: inText(from),
    to: inText(to),
  }));
}
