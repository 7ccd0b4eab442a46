import { type ContactSnapshot, parseContact } from "~/domain/certificates/purchase/contact.schema";
import { ADDRESS_LABELS, CONTACT_FIELDS } from "~/domain/certificates/purchase/fields";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listCorrectionsOf } from "~db/repositories/order-corrections.server";
import { correctionNumber, parseCorrections } from "./correction";
import { CONTACT_TITLES } from "./correction-fields";

/** The fields of the authentication contact by their labels in corrections. */
const fieldsByLabel = new Map(
  CONTACT_FIELDS.map((name) => [`${CONTACT_TITLES.authentication}: ${ADDRESS_LABELS[name]}`, name]),
);

/**
 * Returns the authentication contact as it was when it authorised the order and staff checked it, without the corrections that came later, and
 * the numbers of these corrections, the oldest first.
 */
export async function findAuthorisedContact(
  db: DbOrTrx,
  { orderId, authenticationContact }: Pick<CertificateRow, "orderId" | "authenticationContact">,
): Promise<{ contact: ContactSnapshot; correctedBy: readonly string[] }> {
  const before: Partial<Record<(typeof CONTACT_FIELDS)[number], string>> = {};
  const correctedBy: string[] = [];
  for (const row of await listCorrectionsOf(db, [orderId])) {
    const changes = parseCorrections(row.changes).filter(({ label }) => fieldsByLabel.has(label));
    if (changes.length > 0) correctedBy.push(correctionNumber(row));
    for (const { label, from } of changes) {
      const name = fieldsByLabel.get(label);
      if (name && before[name] === undefined) before[name] = from;
    }
  }
  const now = parseContact(authenticationContact);
  const countryId = before.country === undefined ? now.countryId : null; // only the name of the country before is stored
  return { contact: { ...now, ...before, countryId }, correctedBy };
}
