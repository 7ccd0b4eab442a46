import { z } from "zod";
import { contactSchema } from "~/domain/certificates/purchase/contact.schema";
import {
  correctedContactSchema,
  correctedTechnicalSchema,
  purchaseOrderLimit,
} from "~/domain/orders/corrections/correction.schema";
import { CORRECTION_DAYS, CORRECTIONS_PER_ORDER } from "~/domain/orders/corrections/corrections.policy";
import { correctOrder, getCorrectionState } from "~/domain/orders/corrections/corrections.service.server";
import { correctOnce } from "~/domain/orders/corrections/keyed-correction.server";
import { listStatedCorrections } from "~/domain/orders/corrections/made-corrections.server";
import { type TypedCorrection } from "~/domain/orders/corrections/typed-correction.server";
import { invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { notFound } from "~/lib/errors";
import { requiredText } from "~/lib/fields";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { call, group, type SignedCaller } from "../call";
import { atFields, check } from "../check";
import { toContactForm, toInvoiceForm, wireContact, wireInvoiceAddress } from "../contact";
import { CORRECTED_ONCE_NOTES, idempotencyHeader, orderKeyOf } from "../idempotency.server";
import { answeredCorrection, toAnsweredCorrection } from "../order-correction";
import { changedTextBy, id, textsBy, wireCountryId } from "../wire";

const { country: _, email: __, ...contactRules } = contactSchema.shape;

const codeOrder = z
  .object({
    orderId: id(),
    purchaseOrderNumber: changedTextBy(requiredText(purchaseOrderLimit(false))),
    invoiceAddress: wireInvoiceAddress.nullish(),
  })
  .strict();

const certificateOrder = codeOrder.extend({
  purchaseOrderNumber: changedTextBy(requiredText(purchaseOrderLimit(true))),
  technicalContact: wireContact.nullish(),
  authenticationContact: z
    .object({ ...textsBy(contactRules), countryId: wireCountryId() })
    .strict()
    .nullish()
    .describe("Without `email`: the address that authorised the order stays"),
});

type Sent = z.output<typeof certificateOrder>;

/** Checks what was sent with the rules of the forms. Throws InvalidInput for invalid fields. */
async function checkSent(sent: Sent, isCertificate: boolean): Promise<TypedCorrection> {
  const { purchaseOrderNumber, invoiceAddress, technicalContact, authenticationContact } = sent;
  const form = {
    ...(typeof purchaseOrderNumber === "string" && { purchaseOrderNumber }),
    ...(invoiceAddress && { invoiceAddress: toInvoiceForm(invoiceAddress) }),
    ...(technicalContact && { technicalContact: toContactForm(technicalContact) }),
    ...(authenticationContact && { authenticationContact: contactForm(authenticationContact) }),
  };
  const schema = z.object({
    purchaseOrderNumber: requiredText(purchaseOrderLimit(isCertificate)).optional(),
    technicalContact: correctedTechnicalSchema.optional(),
    authenticationContact: correctedContactSchema.optional(),
  });
  const address = z.object({ invoiceAddress: invoiceAddressSchema(await listInvoiceCountries()) });
  const names = { country: "countryId" };
  const checked = check(schema, form, names);
  return {
    ...(checked.purchaseOrderNumber !== undefined && { purchaseOrderNumber: checked.purchaseOrderNumber }),
    ...(invoiceAddress && { invoice: check(address, form, names).invoiceAddress }),
    ...(checked.technicalContact && { technical: checked.technicalContact }),
    ...(checked.authenticationContact && { contact: checked.authenticationContact }),
  };
}

const contactForm = ({ countryId: country, ...rest }: NonNullable<Sent["authenticationContact"]>) => ({
  ...rest,
  country,
});

/** The field of the request that each error code of the domain is about. */
const FIELDS: Readonly<Record<string, string>> = {
  "invoice.country": "invoiceAddress.countryId",
  "invoice.vat": "invoiceAddress.vat",
  "correction.codes-paid": "invoiceAddress.countryId",
  "correction.same-contact": "technicalContact.email",
};

/** Returns the handler of a call that corrects orders of one kind. */
const correcting = (path: string, isCertificate: boolean) => async (sent: Sent, caller: SignedCaller) => {
  const { user } = caller;
  const { orderId } = sent;
  const { certificate } = await getCorrectionState(user, orderId);
  if ((certificate !== null) !== isCertificate) throw notFound();
  const number = await correctOnce(orderKeyOf(caller, path, sent), (claim, now) =>
    atFields(FIELDS, async () =>
      correctOrder(user, orderId, { typed: await checkSent(sent, isCertificate), seen: null, claim }, now),
    ),
  );
  const made = (await listStatedCorrections(getDb(), orderId)).find((one) => one.number === number);
  const order = await findOrder(getDb(), orderId);
  if (!made || !order) throw new Error(`There is no correction ${number}.`);
  const { status: orderStatus, totalCents, paymentCents } = order;
  const paymentTotal = paymentCents === null ? null : paymentCents / 100;
  return { ...toAnsweredCorrection(made), orderStatus, orderTotal: totalCents / 100, paymentTotal };
};

const correctedOrder = answeredCorrection.extend({
  orderStatus: z.enum(ORDER_STATUSES).describe("The status of the order now"),
  orderTotal: z.number().describe("The total of the order now in euro, with VAT"),
  paymentTotal: z
    .number()
    .nullable()
    .describe("Euro; null when nothing was paid. What exceeds `orderTotal` is to be paid back"),
});

const CERTIFICATES = "certificates/CorrectOrder";
const CODES = "codes/CorrectOrder";

const shared = {
  method: "POST",
  who: "place-orders",
  clients: "write",
  headers: idempotencyHeader,
  output: correctedOrder,
} as const;

const NOTES = `Possible while the order is open and for ${CORRECTION_DAYS} days from the issue of its certificate, for codes from the first invoice, at most ${CORRECTIONS_PER_ORDER} times for an order. Fields that are omitted stay; an address or contact that is sent replaces the stored one. When the invoice states what differs, it is cancelled by a credit note and a new one is issued, with the VAT of the corrected country.\n\n${CORRECTED_ONCE_NOTES}`;

const refusesFor = (what: string) => ({
  404: `There is no such order of ${what}, or it is somebody else's`,
  409: "The order cannot be corrected any more, was cancelled, or its contact is changed in another way",
});

/** The calls with which a customer corrects what was typed wrongly in an order. */
export const orderCorrectionCalls = [
  ...group("Certificates", [
    call({
      ...shared,
      path: CERTIFICATES,
      summary: "Corrects what was typed wrongly in the order of a certificate",
      notes: NOTES,
      refuses: refusesFor("a certificate"),
      input: certificateOrder,
      handle: correcting(CERTIFICATES, true),
    }),
  ]),
  ...group("Codes", [
    call({
      ...shared,
      path: CODES,
      summary: "Corrects what was typed wrongly in an order of codes",
      notes: NOTES,
      refuses: refusesFor("codes"),
      input: codeOrder,
      handle: correcting(CODES, false),
    }),
  ]),
];
