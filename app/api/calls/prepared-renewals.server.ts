import { z } from "zod";
import { CONTACT_FIELDS, INVOICE_FIELDS } from "~/domain/certificates/purchase/fields";
import {
  completePrepared,
  listPreparedOrders,
  type PreparedOrder,
  prepareRenewal,
} from "~/domain/certificates/succession/prepared-renewals.service.server";
import { getOriginal } from "~/domain/certificates/succession/renewal.service.server";
import { type Typed, typedValues } from "~/domain/drafts/typed-values";
import { invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { completionOf } from "~/domain/orders/notification.service.server";
import { call, group, type SignedCaller } from "../call";
import { atFields, check } from "../check";
import {
  answeredAuthenticationContact,
  answeredInvoiceAddress,
  toAnsweredAuthenticationContact,
  toAnsweredInvoiceAddress,
  toContactForm,
  toInvoiceForm,
  wireInvoiceAddress,
} from "../contact";
import { IDEMPOTENCY_NOTES, idempotencyHeader, orderKeyOf, placedOrder } from "../idempotency.server";
import { nothing, REQUIRED, toWireTimestamp, wireTimestamp } from "../wire";
import { checkPreparedRenewal, FIELDS, wholePreparedRenewal } from "./certificate-purchase.server";

const summary = z.object({
  renewalId: z.string(),
  orderId: z.number().int().describe("The order whose certificate is renewed"),
  certificateId: z.number().int(),
  commonName: z.string(),
  preparedBy: z
    .string()
    .describe(
      "The name of the colleague, of several joined with `and`; it says `(staff acted for them)` when an administrator acted as the colleague",
    ),
  preparedDate: wireTimestamp(),
});

/** A prepared renewal with what was filled in. */
const preparedRenewal = summary.extend({
  purchaseOrderNumber: z.string(),
  validityPeriod: z.number().int().describe("Years; 0: as long as the renewed certificate"),
  csr: z.string(),
  authenticationContact: answeredAuthenticationContact,
  invoiceAddress: answeredInvoiceAddress.describe(
    "That of the caller's account, unless the caller has typed another one",
  ),
});

const toSummary = ({ draftId, orderId, certificateId, commonName, by, at }: PreparedOrder) => ({
  renewalId: draftId,
  orderId,
  certificateId,
  commonName,
  preparedBy: by,
  preparedDate: toWireTimestamp(at),
});

function toPreparedRenewal(prepared: PreparedOrder): z.input<typeof preparedRenewal> {
  const { order, contact = {}, invoice = {} } = prepared.data;
  const { purchaseOrderNumber = "", validityPeriod = "", csr = "" } = order ?? {};
  return {
    ...toSummary(prepared),
    purchaseOrderNumber,
    validityPeriod: Number(validityPeriod),
    csr,
    authenticationContact: toAnsweredAuthenticationContact(contact),
    invoiceAddress: toAnsweredInvoiceAddress(invoice),
  };
}

/** Returns the fields of a form as a draft keeps them. A single space in a request stands for no text. */
const typedOf = (form: Readonly<Record<string, unknown>>, fields: readonly string[]): Typed =>
  Object.fromEntries(Object.entries(typedValues(form, fields)).map(([name, value]) => [name, value.trim()]));

const PREPARE = "certificates/PrepareRenewal";

async function checkRenewal(input: z.output<typeof wholePreparedRenewal>, caller: SignedCaller) {
  const original = await getOriginal(caller.user, input.previousOrderId);
  const { contact, order, invoice } = await checkPreparedRenewal(caller, input, original);
  const { csr, purchaseOrderNumber, validityPeriod } = order;
  const typed = {
    contact: typedOf(toContactForm(input.authenticationContact), CONTACT_FIELDS),
    order: { csr, purchaseOrderNumber, validityPeriod: String(validityPeriod) },
    ...(input.invoiceAddress && { invoice: typedOf(toInvoiceForm(input.invoiceAddress), INVOICE_FIELDS) }),
  };
  return { original, contact, invoice, typed };
}

const prepare = async (input: z.output<typeof wholePreparedRenewal>, caller: SignedCaller) =>
  toSummary(
    await atFields(FIELDS, () =>
      prepareRenewal(caller.user, orderKeyOf(caller, PREPARE, input), () => checkRenewal(input, caller)),
    ),
  );

const completion = z
  .object({
    renewalId: z.string().max(100).describe("One of certificates/GetPreparedRenewals"),
    invoiceAddress: wireInvoiceAddress.nullish().describe("That of the caller's account when omitted"),
    termsAndConditionsAccepted: z
      .boolean()
      .nullish()
      .openapi({ [REQUIRED]: true, enum: [true], description: "The caller accepts the terms" }),
  })
  .strict();

async function complete({ renewalId, invoiceAddress, ...terms }: z.output<typeof completion>, { user }: SignedCaller) {
  const sent = invoiceAddress ? typedOf(toInvoiceForm(invoiceAddress), INVOICE_FIELDS) : null;
  const schema = z.object({ invoiceAddress: invoiceAddressSchema(await listInvoiceCountries()) });
  const checked = (typed: Typed) => ({
    typed,
    acceptsTerms: terms.termsAndConditionsAccepted === true,
    form: check(schema, { invoiceAddress: typed }, { country: "countryId" }).invoiceAddress,
  });
  const own = sent && checked(sent);
  const typedFor = (account: Typed) => own ?? checked(account);
  const fields = { ...FIELDS, "certificate.renew": "renewalId" };
  return completionOf(await atFields(fields, () => completePrepared(user, renewalId, typedFor)));
}

export const preparedRenewalCalls = group("Certificates", [
  call({
    path: PREPARE,
    method: "POST",
    who: "prepare-renewals",
    summary: "Prepares the renewal of a certificate for an owner or a purchaser of the company, who completes it",
    notes: `The request and its rules are those of a renewal with certificates/CompletePurchaseJourney, but the terms need not be accepted and no invoice address is needed: whoever orders the renewal accepts the terms and gives an invoice address of their own. Nothing is ordered: owners and purchasers get a message, and find the renewal for seven days with their certificates and with certificates/GetPreparedRenewals.\n\n${IDEMPOTENCY_NOTES}`,
    failure: "CIA0101E",
    headers: idempotencyHeader,
    refuses: { 404: "There is no order `previousOrderId`, or it is somebody else's" },
    input: wholePreparedRenewal,
    output: summary,
    handle: prepare,
  }),
  call({
    path: "certificates/GetPreparedRenewals",
    method: "GET",
    who: "place-orders",
    summary: "The renewals that colleagues have prepared and nobody has completed yet, the latest first",
    failure: "OCA0901E",
    input: nothing,
    output: z.array(preparedRenewal),
    handle: async (_, { user }) => (await listPreparedOrders(user)).map(toPreparedRenewal),
  }),
  call({
    path: "certificates/CompletePreparedRenewal",
    method: "POST",
    who: "place-orders",
    summary: "Orders a renewal that a colleague has prepared",
    notes:
      "The technical contact is the caller's account. A prepared renewal becomes one order: when the request is sent again, also by a colleague, it is answered with that order. It therefore needs no `Idempotency-Key`.",
    failure: "CIA0101E",
    refuses: { 404: "No such renewal was prepared in the caller's company, or it has ended" },
    input: completion,
    output: placedOrder,
    handle: complete,
  }),
]);
