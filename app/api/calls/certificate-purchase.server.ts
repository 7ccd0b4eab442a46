import { z } from "zod";
import { placePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { contactSchemaFor } from "~/domain/certificates/purchase/contact.schema";
import { contactRules } from "~/domain/certificates/purchase/contact.service.server";
import { DEFAULT_YEARS, RENEWAL_YEARS, USAGE_FLAGS } from "~/domain/certificates/purchase/fields";
import { orderFormSchema, renewalFormSchema } from "~/domain/certificates/purchase/order-form.schema";
import { renewalOrder } from "~/domain/certificates/purchase/purchase.policy";
import { type Original } from "~/domain/certificates/succession/original.server";
import {
  getOriginal,
  getRenewalState,
  verifyExpiryDate,
} from "~/domain/certificates/succession/renewal.service.server";
import { invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { messages } from "~/lib/messages";
import { OFTP_ID_CHARACTERS, OFTP_ID_LENGTH } from "~/lib/oftp-id";
import { call, group, type SignedCaller } from "../call";
import { atFields, check, type WireNames } from "../check";
import {
  answeredAuthenticationContact,
  toAnsweredAuthenticationContact,
  toContactForm,
  toInvoiceForm,
  wireContact,
  wireInvoiceAddress,
} from "../contact";
import { IDEMPOTENCY_NOTES, idempotencyHeader, orderKeyOf, placedOrder } from "../idempotency.server";
import { id, REQUIRED, queryId, queryNumber, text, textBy, toWireDate, wireDate } from "../wire";

const flag = () => z.boolean().nullish();

const rules = orderFormSchema.innerType().shape;

/** The fields of the order step (PUR-03). */
const orderForm = z
  .object({
    purchaseOrderNumber: textBy(rules.purchaseOrderNumber),
    csr: textBy(rules.csr, { description: "PKCS#10 as PEM, or base64 of the DER" }),
    showUsageAttributes: flag().describe(
      "With `false`, all four usages apply and the next four fields are ignored. At least one usage is required",
    ),
    hasSecureSession: flag().describe("TLS; true when omitted, like the next three"),
    hasEmail: flag(),
    hasEncryption: flag(),
    hasFileSigning: flag(),
    oftpid: text().openapi({
      maxLength: OFTP_ID_LENGTH.most,
      description: `OFTP ID (SSID), when the CSR states none, or the one that it states: ${OFTP_ID_CHARACTERS}; at least ${OFTP_ID_LENGTH.least}`,
    }),
    validityPeriod: z
      .number()
      .int()
      .nullish()
      .openapi({
        enum: [...RENEWAL_YEARS, null],
        description: `Years; ${DEFAULT_YEARS} when omitted; 0 only for a renewal`,
      }),
    promoCode: text().describe("Promotion code of 9 or 10 characters"),
    termsAndConditionsAccepted: flag().openapi({ [REQUIRED]: true, enum: [true] }),
  })
  .strict();

/**
 * The fields of the order step of a renewal that a colleague completes. It takes its usage and OFTP ID from the certificate and has no
 * promotion code.
 */
const renewalForm = orderForm.pick({ purchaseOrderNumber: true, csr: true, validityPeriod: true }).extend({
  termsAndConditionsAccepted: flag().describe("Not needed and ignored: whoever orders the renewal accepts the terms"),
});

/** An order in one request. */
export const wholeCertificateOrder = z
  .object({
    previousOrderId: id().nullish().describe("The order whose certificate is renewed; omitted for a new certificate"),
    authenticationContact: wireContact,
    order: orderForm,
    invoiceAddress: wireInvoiceAddress,
  })
  .strict();

export type WireOrder = z.output<typeof wholeCertificateOrder>;

const toOrderForm = ({ validityPeriod, termsAndConditionsAccepted, ...order }: WireOrder["order"]) => ({
  ...order,
  showUsageAttributes: order.showUsageAttributes ?? true,
  ...Object.fromEntries(USAGE_FLAGS.map((name) => [name, order[name] ?? true])),
  validityPeriod: String(validityPeriod ?? DEFAULT_YEARS),
  termsAndConditionsAccepted: termsAndConditionsAccepted ?? false,
});

const NAMES: WireNames = { country: "countryId", usage: "showUsageAttributes" };

/** The field of the request that each error code of the domain is about. */
export const FIELDS: Readonly<Record<string, string>> = {
  "certificate.renew": "previousOrderId",
  "contact.country": "authenticationContact.countryId",
  "contact.requirements": "authenticationContact.email",
  "contact.staff-email": "authenticationContact.email",
  csr: "order.csr",
  "certificate.oftp-id": "order.oftpid",
  "promotion-code": "order.promoCode",
  "invoice.country": "invoiceAddress.countryId",
  "invoice.vat": "invoiceAddress.vat",
};

/** Returns the rules of the forms on the wizard's first two pages. */
const rulesFor = async ({ user }: SignedCaller, original: Original | null, asksForTerms: boolean) => ({
  authenticationContact: contactSchemaFor(await contactRules(user, null)),
  order: original
    ? renewalFormSchema(original.refusals, asksForTerms).transform((form) => renewalOrder(form, original))
    : orderFormSchema,
});

const invoiceRules = async () => invoiceAddressSchema(await listInvoiceCountries());

const formsOf = ({ authenticationContact, order }: Pick<WireOrder, "authenticationContact" | "order">) => ({
  authenticationContact: toContactForm(authenticationContact),
  order: toOrderForm(order),
});

/**
 * Checks an order with the rules of the forms on the wizard's pages. Throws InvalidInput for invalid fields.
 * @param original The certificate that is renewed, or null for a new certificate.
 */
export async function checkOrder(caller: SignedCaller, input: WireOrder, original: Original | null) {
  const schema = z.object({ ...(await rulesFor(caller, original, true)), invoiceAddress: await invoiceRules() });
  const form = { ...formsOf(input), invoiceAddress: toInvoiceForm(input.invoiceAddress) };
  const { authenticationContact: contact, order, invoiceAddress: invoice } = check(schema, form, NAMES);
  return { contact, order, original, invoice };
}

/** A renewal in one request, which a colleague completes. */
export const wholePreparedRenewal = wholeCertificateOrder.extend({
  previousOrderId: id().describe("The order whose certificate is renewed"),
  order: renewalForm,
  invoiceAddress: wireInvoiceAddress
    .nullish()
    .describe("Only kept for the caller: a colleague who orders the renewal gives an address of their own"),
});

/** Checks a renewal as `checkOrder` does, without the terms and, when none is sent, without an invoice address. */
export async function checkPreparedRenewal(
  caller: SignedCaller,
  { order: sent, ...input }: z.output<typeof wholePreparedRenewal>,
  original: Original,
) {
  const invoiceAddress = (await invoiceRules()).optional();
  const schema = z.object({ ...(await rulesFor(caller, original, false)), invoiceAddress });
  const forms = formsOf({ ...input, order: { ...sent, oftpid: "", promoCode: "" } });
  const form = { ...forms, invoiceAddress: input.invoiceAddress ? toInvoiceForm(input.invoiceAddress) : undefined };
  const { authenticationContact: contact, order, invoiceAddress: invoice } = check(schema, form, NAMES);
  return { contact, order, original, invoice };
}

const COMPLETE = "certificates/CompletePurchaseJourney";

const completePurchase = (input: WireOrder, caller: SignedCaller) =>
  placeOnce(orderKeyOf(caller, COMPLETE, input), (claim) =>
    atFields(FIELDS, async () => {
      const { previousOrderId } = input;
      const original = previousOrderId ? await getOriginal(caller.user, previousOrderId) : null;
      return placePurchase(caller.user, await checkOrder(caller, input, original), claim);
    }),
  );

const renewalState = z.object({
  orderId: z.number().int(),
  certificateId: z.number().int(),
  commonName: z.string(),
  certificateExpiryDate: wireDate(),
  authenticationContact: answeredAuthenticationContact,
  hasSecureSession: z.boolean(),
  hasEmail: z.boolean(),
  hasEncryption: z.boolean(),
  hasFileSigning: z.boolean(),
  oftpid: z.string(),
  validityPeriods: z
    .array(
      z.object({
        validityPeriod: z.number().int().describe("Years"),
        certificateExpiryDate: wireDate(),
        message: z.string().describe("Why this number of years cannot be chosen; empty when it can"),
      }),
    )
    .describe("The years that can be chosen, and the end date of each"),
});

async function renewalStateOf({ orderId }: { orderId: number }, { user }: SignedCaller) {
  const state = await atFields({ "certificate.renew": "orderId" }, () => getRenewalState(user, orderId));
  return {
    orderId,
    certificateId: state.certificateId,
    commonName: state.commonName,
    certificateExpiryDate: toWireDate(state.certificateExpiryDate),
    authenticationContact: toAnsweredAuthenticationContact(state.contact),
    hasSecureSession: state.usage.includes("hasSecureSession"),
    hasEmail: state.usage.includes("hasEmail"),
    hasEncryption: state.usage.includes("hasEncryption"),
    hasFileSigning: state.usage.includes("hasFileSigning"),
    oftpid: state.oftpid ?? "",
    validityPeriods: state.terms.map(({ years, expiryDate, refusal }) => ({
      validityPeriod: years,
      certificateExpiryDate: toWireDate(expiryDate),
      message: refusal ?? "",
    })),
  };
}

export const certificatePurchaseCalls = group("Certificates", [
  call({
    path: COMPLETE,
    method: "POST",
    who: "place-orders",
    clients: "write",
    summary: "Orders a certificate, or the renewal of one",
    notes: `The technical contact is the caller's account. A renewal takes its usage and OFTP ID from the certificate that it renews and has no promotion code; values sent for them are ignored.\n\n${IDEMPOTENCY_NOTES}`,
    failure: "CIA0101E",
    headers: idempotencyHeader,
    refuses: { 404: "There is no order `previousOrderId`, or it is somebody else's" },
    input: wholeCertificateOrder,
    output: placedOrder,
    handle: completePurchase,
  }),
  call({
    path: "certificates/GetRenewalState",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The data with which the renewal of an order's certificate starts",
    failure: "IMP0D01E",
    refuses: {
      404: "There is no such order of a certificate, or it is somebody else's",
      422: "Its certificate cannot be renewed now, or a field is not valid",
    },
    input: z.object({ orderId: queryId() }).strict(),
    output: renewalState,
    handle: renewalStateOf,
  }),
  call({
    path: "certificates/verifyCertificateExpiryDate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "Whether an order's certificate can be renewed for a number of years",
    notes: "`min`: 0 years are not possible; `max`: the total validity would be too long; empty: it can be renewed.",
    failure: "IMP0B01E",
    refuses: { 404: "There is no such order of a certificate, it is somebody else's, or there is no certificate yet" },
    input: z
      .object({
        orderId: queryId(),
        years: queryNumber(Math.min(...RENEWAL_YEARS), Math.max(...RENEWAL_YEARS), messages.collection),
      })
      .strict(),
    output: z.enum(["min", "max", ""]),
    handle: async ({ orderId, years }, { user }) => {
      const verdict = await verifyExpiryDate(user, orderId, years);
      return verdict === "other" ? "" : verdict;
    },
  }),
]);
