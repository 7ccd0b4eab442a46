import { type SessionUser } from "~/domain/accounts/session-user";
import { type InvoiceAddressForm, parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { type OrderClaim } from "~/domain/orders/order-claim";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { findOrder } from "~db/repositories/orders.server";
import {
  findStanding,
  findStandingOrder,
  isContactErased,
  type NamedStandingRow,
} from "~db/repositories/standing-authorisations.server";
import { placePurchase, type WholeOrder } from "../purchase/completion.service.server";
import { type Contact, parseContact } from "../purchase/contact.schema";
import { type Original } from "../succession/original.server";
import { issueWithin } from "./issuing.service.server";
import { basisOf } from "./judging.server";
import { type OrderUnderForm } from "./standing.schema";

/** The contact and the invoice address of every order under a standing authorisation. */
async function partiesOfOrder(row: NamedStandingRow): Promise<{ contact: Contact; invoice: InvoiceAddressForm }> {
  const basis = await basisOf(getDb(), row);
  const order = await findOrder(getDb(), basis.orderId);
  if (!order) throw new Error(`There is no order ${basis.orderId}.`);
  if (await isContactErased(getDb(), row.basedOn))
    throw new PortalError("The contact of the standing authorisation is not there any more. Ask for a new one.", {
      code: "company.standing",
    });
  const {
    countryId,
    country: _country,
    hasOtherDomain: _other,
    ...contact
  } = parseContact(basis.authenticationContact);
  const {
    countryId: invoiced,
    country: _name,
    countryIso: _iso,
    ...invoice
  } = parseInvoiceAddress(order.invoiceAddress);
  return { contact: { ...contact, country: countryId ?? 0 }, invoice: { ...invoice, country: invoiced } };
}

/** What is ordered: a new certificate, or the renewal of one. */
export type OrderUnder = Pick<OrderUnderForm, "csr" | "validityPeriod" | "usage" | "oftpid"> & {
  original: Original | null;
} & Pick<WholeOrder, "subject" | "proved">;

/** Returns what a renewal takes over from the certificate that it renews. */
export const keptInRenewal = (original: Original) => ({ original, usage: original.usage, oftpid: "" });

/**
 * Places an order under a standing authorisation of the company in which the user works. Purchase order number, contact and invoice address are
 * those of the authorisation. An order that is not within it waits for staff, like any other. Returns what `placePurchase` returns.
 *
 * @throws PortalError (404) when the company has no such authorisation, and what `placePurchase` throws: the CSR, its key and its names are
 *   checked as for every order, and the key must be new.
 */
export async function placeUnder(
  user: SessionUser,
  standingId: number,
  { original, csr, validityPeriod, usage, oftpid, ...given }: OrderUnder,
  claim: OrderClaim,
  now = new Date(),
): Promise<number | null> {
  const row = await findStanding(getDb(), standingId);
  if (row?.companyId !== user.companyId) throw notFound();
  const { purchaseOrderNumber } = row;
  const order = {
    csr,
    validityPeriod,
    purchaseOrderNumber,
    usage,
    oftpid,
    promoCode: "",
    termsAndConditionsAccepted: true,
  };
  return placePurchase(user, { order, original, ...(await partiesOfOrder(row)), standingId, ...given }, claim, now);
}

/** What came of an order under a standing authorisation. */
export interface OrderedUnder {
  certificateId: number;
  /** Whether it is within the authorisation, so that no decision of staff is needed. */
  isWithin: boolean;
  isIssued: boolean;
  /** Why the certificate is not issued yet, a sentence in each line. Empty when it is. */
  reasons: string[];
}

/** Issues the certificate of a stored order that is within its standing authorisation, unless it was issued before, and says what came of it. */
export async function finishUnder(orderId: number, now = new Date()): Promise<OrderedUnder> {
  const before = await findCertificateByOrder(getDb(), orderId);
  if (!before) throw new Error(`Order ${orderId} has no certificate.`);
  const waits = await issueWithin(before.id, now);
  const certificate = (await findCertificateByOrder(getDb(), orderId)) ?? before;
  const why = (await findStandingOrder(getDb(), certificate.id))?.whyOutside ?? null;
  const isIssued = certificate.der !== null;
  const reasons = isIssued ? [] : why !== null ? why.split("\n") : [waits ?? "The certificate is being issued."];
  return { certificateId: certificate.id, isWithin: why === null, isIssued, reasons };
}
