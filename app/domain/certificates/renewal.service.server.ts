import { type SessionUser } from "~/domain/accounts/session-user";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { notFound, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { type Barrier } from "./certificates.policy";
import { parseContact } from "./contact.schema";
import { renewalWizard } from "./wizards.server";
import { whyNotRenewed } from "./open-order.server";
import { findOriginal, type RenewalTerm } from "./original.server";
import { RENEWAL_YEARS, type UsageFlag } from "./purchase.fields";
import { validityVerdict, type ValidityVerdict } from "./renewal.policy";

/** What a renewal begins with (B §7, GetRenewalState): everything comes from the certificate that is renewed and its order. */
export interface RenewalState {
  orderId: number;
  certificateId: number;
  commonName: string;
  /** ISO moment. */
  certificateExpiryDate: string;
  /** The authentication contact, by field name. */
  contact: Typed;
  usage: UsageFlag[];
  oftpid: string | null;
  terms: RenewalTerm[];
}

/** An authentication contact of before, as the first step's form takes it. */
export function contactValues({ authenticationContact }: Pick<CertificateRow, "authenticationContact">): Typed {
  const { countryId, name, company, position, email, phoneNumber, ...address } = parseContact(authenticationContact);
  const { addressLine1, addressLine2, city, postalCode } = address;
  const country = countryId === null ? "" : String(countryId);
  return { name, company, position, email, addressLine1, addressLine2, city, postalCode, country, phoneNumber };
}

/** The certificate of an order if this user may see it: owners their own, administrators all. Throws not found. */
async function getByOrder(user: SessionUser, orderId: number): Promise<CertificateRow> {
  const row = await findCertificateByOrder(getDb(), orderId);
  if (!row || (row.userId !== user.id && !user.isAdmin)) throw notFound();
  return row;
}

const refusal = (barrier: NonNullable<Barrier>) => new PortalError(barrier, { code: "certificate.renew", field: "id" });

/** The renewal state of an order's certificate. Throws not found, or a PortalError at `id` that says why it cannot be renewed now. */
export async function getRenewalState(user: SessionUser, orderId: number, now = new Date()): Promise<RenewalState> {
  const row = await getByOrder(user, orderId);
  const barrier = await whyNotRenewed(getDb(), user, row, now);
  if (barrier) throw refusal(barrier);
  const original = await findOriginal(getDb(), row.id, now);
  if (!original) throw refusal("There is no certificate to renew.");
  return {
    orderId,
    certificateId: row.id,
    commonName: row.commonName,
    certificateExpiryDate: original.row.expiryDate,
    contact: contactValues(row),
    usage: original.usage,
    oftpid: row.ssid,
    terms: original.terms,
  };
}

/** Begins the renewal of an order's certificate. Out: the id of its draft. Throws what `getRenewalState` throws. */
export async function startRenewal(user: SessionUser, orderId: number, now = new Date()): Promise<string> {
  const { certificateId } = await getRenewalState(user, orderId, now);
  return startDraft(renewalWizard, user.id, { renews: certificateId }, now);
}

/** The answer to verifyCertificateExpiryDate (B §7). Throws not found, or a PortalError at `years` for years that are not offered. */
export async function verifyExpiryDate(
  user: SessionUser,
  orderId: number,
  years: number,
  now = new Date(),
): Promise<ValidityVerdict> {
  const { expiryDate } = await getByOrder(user, orderId);
  if (!expiryDate) throw notFound();
  if (!RENEWAL_YEARS.some((offered) => offered === years))
    throw new PortalError(messages.collection, { code: "renewal.years", field: "years" });
  return validityVerdict(new Date(expiryDate), years, now);
}
