import { type SessionUser } from "~/domain/accounts/session-user";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { notFound, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { getCertificateOfOrder } from "../catalogue/of-order.service.server";
import { type Barrier } from "../certificates.policy";
import { parseContact } from "../purchase/contact.schema";
import { RENEWAL_YEARS, type UsageFlag } from "../purchase/fields";
import { whyNotRenewed } from "../purchase/open-order.server";
import { renewalWizard } from "../purchase/wizards.server";
import { requireNotPrepared } from "./handed-over.server";
import { findOriginal, type Original, type RenewalTerm } from "./original.server";
import { validityVerdict, type ValidityVerdict } from "./renewal.policy";

/** The data with which a renewal begins (REN-01). All of it comes from the certificate to renew and its order. */
export interface RenewalState {
  orderId: number;
  certificateId: number;
  commonName: string;
  /** An ISO timestamp. */
  certificateExpiryDate: string;
  /** The authentication contact, by field name. */
  contact: Typed;
  usage: UsageFlag[];
  oftpid: string | null;
  terms: RenewalTerm[];
}

/** Returns the stored authentication contact as values of the first step's form. */
export function contactValues({ authenticationContact }: Pick<CertificateRow, "authenticationContact">): Typed {
  const { countryId, name, company, position, email, phoneNumber, ...address } = parseContact(authenticationContact);
  const { addressLine1, addressLine2, city, postalCode } = address;
  const country = countryId === null ? "" : String(countryId);
  return { name, company, position, email, addressLine1, addressLine2, city, postalCode, country, phoneNumber };
}

const refusal = (barrier: NonNullable<Barrier>) => new PortalError(barrier, { code: "certificate.renew", field: "id" });

/**
 * Returns the certificate of an order as the original of its renewal. Throws a PortalError (404) when the user has no such order, or a
 * PortalError for the field `id` that says why it cannot be renewed now.
 */
export async function getOriginal(user: SessionUser, orderId: number, now = new Date()): Promise<Original> {
  const row = await getCertificateOfOrder(user, orderId);
  const barrier = await whyNotRenewed(getDb(), user, row, now);
  if (barrier) throw refusal(barrier);
  const original = await findOriginal(getDb(), row.id, now);
  if (!original) throw refusal("There is no certificate to renew.");
  return original;
}

/** Returns the renewal state of an order's certificate. Throws what `getOriginal` throws. */
export async function getRenewalState(user: SessionUser, orderId: number, now = new Date()): Promise<RenewalState> {
  const { row, usage, terms } = await getOriginal(user, orderId, now);
  return {
    orderId,
    certificateId: row.id,
    commonName: row.commonName,
    certificateExpiryDate: row.expiryDate,
    contact: contactValues(row),
    usage,
    oftpid: row.ssid,
    terms,
  };
}

/**
 * Begins the renewal of an order's certificate and returns the id of its draft. Throws what `getOriginal` throws, and what
 * `requireNotPrepared` throws for a member who only prepares.
 */
export async function startRenewal(user: SessionUser, orderId: number, now = new Date()): Promise<string> {
  const { certificateId } = await getRenewalState(user, orderId, now);
  if (!mayAsMember(user, "place-orders"))
    await requireNotPrepared(getDb(), user, certificateId, { draftId: null, now });
  return startDraft(renewalWizard, user.id, { renews: certificateId }, now);
}

/**
 * Returns the answer of verifyCertificateExpiryDate (REN-02, API-03). Throws a PortalError (404) when the user has no such order, or a
 * PortalError for the field `years` when these years are not offered.
 */
export async function verifyExpiryDate(
  user: SessionUser,
  orderId: number,
  years: number,
  now = new Date(),
): Promise<ValidityVerdict> {
  const { expiryDate } = await getCertificateOfOrder(user, orderId);
  if (!expiryDate) throw notFound();
  if (!RENEWAL_YEARS.some((offered) => offered === years))
    throw new PortalError(messages.collection, { code: "renewal.years", field: "years" });
  return validityVerdict(new Date(expiryDate), years, now);
}
