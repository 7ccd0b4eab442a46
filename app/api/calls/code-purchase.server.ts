import { z } from "zod";
import { getProfileFor } from "~/domain/accounts/profile.service.server";
import { CODE_TYPE_LABELS, readCodeType } from "~/domain/codes/code-types";
import { placeCodePurchase } from "~/domain/codes/purchase/completion.service.server";
import { DEFAULT_QUANTITY, MAX_QUANTITY, readQuantity } from "~/domain/codes/purchase/fields";
import { codeOrderSchema } from "~/domain/codes/purchase/order-form.schema";
import { invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { invoicingAddressOf, listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group, type SignedCaller } from "../call";
import { atFields, check, type WireNames } from "../check";
import { toInvoiceForm, wireInvoiceAddress } from "../contact";
import { IDEMPOTENCY_NOTES, idempotencyHeader, orderKeyOf, placedOrder } from "../idempotency.server";
import { ignoredObject, REQUIRED, textBy } from "../wire";

/** The fields of the order step (CPO-01). */
const codeOrder = z
  .object({
    purchaseOrderNumber: textBy(codeOrderSchema.shape.purchaseOrderNumber),
    codeType: textBy(codeOrderSchema.shape.productType, {
      choices: Object.values(CODE_TYPE_LABELS),
      isRequired: true,
      description: "In upper or lower case",
    }),
    quantity: z
      .number({ invalid_type_error: messages.invalid })
      .int(messages.invalid)
      .nullish()
      .openapi({ minimum: 1, maximum: MAX_QUANTITY, description: `${DEFAULT_QUANTITY} when omitted` }),
    termsAndConditionsAccepted: z
      .boolean()
      .nullish()
      .openapi({ [REQUIRED]: true, enum: [true] }),
    netAmount: z
      .number()
      .nullish()
      .describe("The expected price in euro without VAT; nothing is ordered at another price"),
    codePricing: ignoredObject("Not used: the portal sets the price"),
  })
  .strict();

const wholeOrder = z.object({ order: codeOrder, invoiceAddress: wireInvoiceAddress }).strict();

const shortOrder = wholeOrder.extend({
  invoiceAddress: wireInvoiceAddress.nullish().describe("The account's invoicing address when omitted"),
});

type WireOrder = z.output<typeof shortOrder>;

/** Returns the quantity as text. Throws a PortalError (400) for an invalid quantity, before the other fields are checked (CPO-01). */
function requireQuantity(quantity: number): string {
  const typed = String(quantity);
  if (readQuantity(typed) !== null) return typed;
  const message = `The quantity must be a whole number from 1 to ${MAX_QUANTITY}.`;
  throw new PortalError(message, { code: "order.quantity", status: 400 });
}

const toOrderForm = ({ purchaseOrderNumber, codeType, quantity, termsAndConditionsAccepted }: WireOrder["order"]) => ({
  purchaseOrderNumber,
  productType: readCodeType(codeType) ?? codeType,
  quantity: requireQuantity(quantity ?? DEFAULT_QUANTITY),
  termsAndConditionsAccepted: termsAndConditionsAccepted ?? false,
});

const NAMES: WireNames = { country: "countryId", productType: "codeType" };

/** The field of the request that each error code of the domain is about. */
const FIELDS: Readonly<Record<string, string>> = {
  "order.quantity": "order.quantity",
  "order.amounts": "order.netAmount",
  "invoice.country": "invoiceAddress.countryId",
  "invoice.vat": "invoiceAddress.vat",
};

/**
 * Checks an order with the rules of the forms on the wizard's pages. Throws InvalidInput for invalid fields. `netCents` is null when the
 * sender names no expected amount.
 */
async function checkOrder({ user }: SignedCaller, { order, invoiceAddress }: WireOrder) {
  const form = {
    order: toOrderForm(order),
    invoiceAddress: invoiceAddress
      ? toInvoiceForm(invoiceAddress)
      : invoicingAddressOf(await getProfileFor({ userId: user.id, companyId: user.companyId })),
  };
  const schema = z.object({
    order: codeOrderSchema,
    invoiceAddress: invoiceAddressSchema(await listInvoiceCountries()),
  });
  const checked = check(schema, form, NAMES);
  const netCents = typeof order.netAmount === "number" ? Math.round(order.netAmount * 100) : null;
  return { order: checked.order, invoice: checked.invoiceAddress, netCents };
}

const purchase = (path: string) => (input: WireOrder, caller: SignedCaller) =>
  placeOnce(orderKeyOf(caller, path, input), (claim) =>
    atFields(FIELDS, async () => placeCodePurchase(caller.user, await checkOrder(caller, input), claim)),
  );

const COMPLETE = "codes/completePurchaseJourney";
const PURCHASE = "codes/purchaseCode";

const placing = {
  method: "POST",
  who: "place-orders",
  clients: "write",
  notes: `They can be registered once the order is paid. A quantity outside 1 to ${MAX_QUANTITY} is answered with 400.\n\n${IDEMPOTENCY_NOTES}`,
  failure: "CIA0101E",
  headers: idempotencyHeader,
  output: placedOrder,
} as const;

export const codePurchaseCalls = group("Codes", [
  call({
    ...placing,
    path: COMPLETE,
    summary: "Orders codes of one type",
    input: wholeOrder,
    handle: purchase(COMPLETE),
  }),
  call({
    ...placing,
    path: PURCHASE,
    summary: "Orders codes of one type, invoiced to the account's own address",
    input: shortOrder,
    handle: purchase(PURCHASE),
  }),
]);
