import { z } from "zod";
import { RENEWAL_YEARS, USAGE_FLAGS } from "~/domain/certificates/purchase/fields";
import { chooseInvoicing, endOwnStanding } from "~/domain/certificates/standing/asking.service.server";
import { finishUnder, keptInRenewal, placeUnder } from "~/domain/certificates/standing/ordering.service.server";
import {
  endStandingSchema,
  orderUnderSchema,
  renewalUnderSchema,
} from "~/domain/certificates/standing/standing.schema";
import { listOwnStanding, type StandingView } from "~/domain/certificates/standing/views.service.server";
import { getOriginal } from "~/domain/certificates/succession/renewal.service.server";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { call, group, type SignedCaller } from "../call";
import { atFields, check } from "../check";
import { IDEMPOTENCY_NOTES, idempotencyHeader, orderKeyOf, placedOrder } from "../idempotency.server";
import { id, nothing, textBy, toWireTimestamp, wireTimestamp } from "../wire";
import { FIELDS as ORDER_FIELDS } from "./certificate-purchase.server";

const euro = (cents: number | null) => (cents === null ? null : cents / 100);

const standing = z.object({
  id: z.number().int(),
  state: z.enum(["Waiting", "Active", "Rejected", "Ended"]),
  organisation: z.string(),
  purchaseOrderNumber: z.string(),
  endsAt: wireTimestamp().describe("When it ends"),
  ceilingCertificates: z.number().int().nullable().describe("How many certificates at most; null without such a limit"),
  ceilingEuro: z.number().nullable().describe("The net amount at most; null without such a limit"),
  usedCertificates: z.number().int(),
  usedEuro: z.number(),
  leftCertificates: z.number().int().nullable(),
  leftEuro: z.number().nullable(),
  isInvoicedMonthly: z.boolean().describe("Whether its orders are on one invoice a month, instead of one each"),
});

const toStanding = (view: StandingView): z.input<typeof standing> => ({
  id: view.id,
  state: view.state,
  organisation: view.organisation,
  purchaseOrderNumber: view.purchaseOrderNumber,
  endsAt: toWireTimestamp(view.endsAt),
  ceilingCertificates: view.ceilingCertificates,
  ceilingEuro: euro(view.ceilingCents),
  usedCertificates: view.used.certificates,
  usedEuro: view.used.cents / 100,
  leftCertificates: view.left.certificates,
  leftEuro: euro(view.left.cents),
  isInvoicedMonthly: view.isInvoicedMonthly,
});

const flag = () => z.boolean().nullish();
const rules = orderUnderSchema.innerType().shape;

const orderUnder = z
  .object({
    standingAuthorisationId: id(),
    previousOrderId: id().nullish().describe("The order whose certificate is renewed; omitted for a new certificate"),
    csr: textBy(rules.csr, { description: "PKCS#10 as PEM, or base64 of the DER. Its key must be new" }),
    hasSecureSession: flag().describe("TLS; true when omitted, like the next three. Ignored for a renewal"),
    hasEmail: flag(),
    hasEncryption: flag(),
    hasFileSigning: flag(),
    oftpid: textBy(rules.oftpid, { description: "OFTP ID, when the CSR states none. Ignored for a renewal" }),
    validityPeriod: z
      .number()
      .int()
      .nullish()
      .openapi({ enum: [...RENEWAL_YEARS, null], description: "Years; 1 when omitted; 0 only for a renewal" }),
  })
  .strict();

const orderedUnder = placedOrder.extend({
  certificateId: z.number().int(),
  isWithin: z
    .boolean()
    .describe("Whether the order is within the standing authorisation. If not, staff decide about it"),
  isIssued: z.boolean().describe("Whether the certificate can be downloaded now"),
  reasons: z.array(z.string()).describe("Why the certificate is not issued yet, a sentence for each rule"),
});

const PATH = "certificates/OrderUnderStandingAuthorisation";
const FIELDS: typeof ORDER_FIELDS = { ...ORDER_FIELDS, csr: "csr", "certificate.oftp-id": "oftpid" };

/** Checks the form by the rules of the page of a new certificate or of a renewal. */
async function readForm({ user }: SignedCaller, input: z.output<typeof orderUnder>) {
  const { previousOrderId, validityPeriod, csr, oftpid } = input;
  const years = String(validityPeriod ?? 1);
  if (previousOrderId) {
    const original = await getOriginal(user, previousOrderId);
    return {
      ...check(renewalUnderSchema(original.refusals), { csr, validityPeriod: years }),
      ...keptInRenewal(original),
    };
  }
  const flags = Object.fromEntries(USAGE_FLAGS.map((name) => [name, input[name] ?? true]));
  return { original: null, ...check(orderUnderSchema, { csr, oftpid, validityPeriod: years, ...flags }) };
}

async function orderUnderStanding(input: z.output<typeof orderUnder>, caller: SignedCaller) {
  const completion = await placeOnce(orderKeyOf(caller, PATH, input), (claim) =>
    atFields(FIELDS, async () =>
      placeUnder(caller.user, input.standingAuthorisationId, await readForm(caller, input), claim),
    ),
  );
  return { ...completion, ...(await finishUnder(completion.orderId)) };
}

export const standingCalls = group("Certificates", [
  call({
    path: "certificates/GetStandingAuthorisations",
    method: "GET",
    who: "see-company",
    clients: "read",
    summary: "The standing authorisations of the company, the latest first, with what is used and left",
    input: nothing,
    output: z.array(standing),
    handle: async (_, { user }) => (await listOwnStanding(user)).map(toStanding),
  }),
  call({
    path: PATH,
    method: "POST",
    who: "place-orders",
    clients: "write",
    summary: "Orders a certificate, or the renewal of one, under a standing authorisation",
    notes: `Purchase order number, authentication contact and invoice address are those of the standing authorisation. An order within it is issued at once. Any other order waits for staff, and \`reasons\` says why.\n\n${IDEMPOTENCY_NOTES}`,
    failure: "CIA0101E",
    headers: idempotencyHeader,
    refuses: { 404: "The company has no such standing authorisation, or no order `previousOrderId`" },
    input: orderUnder,
    output: orderedUnder,
    handle: orderUnderStanding,
  }),
  call({
    path: "certificates/ChooseInvoicing",
    method: "POST",
    who: "manage-company",
    summary: "Chooses one invoice a month, or one for each order, for a standing authorisation of the company",
    notes:
      "It holds for certificates that are issued from now on. Orders that wait for the invoice of the month stay on it. The invoice is issued on the last day of the month.",
    refuses: { 404: "The company has no such standing authorisation", 422: "It has ended" },
    input: z.object({ standingAuthorisationId: id(), isInvoicedMonthly: z.boolean() }).strict(),
    output: z.boolean(),
    handle: async ({ standingAuthorisationId, isInvoicedMonthly }, { user }) => {
      await chooseInvoicing(user, standingAuthorisationId, isInvoicedMonthly);
      return true;
    },
  }),
  call({
    path: "certificates/EndStandingAuthorisation",
    method: "POST",
    who: "manage-company",
    summary: "Ends a standing authorisation of the company, or withdraws one that waits",
    refuses: { 404: "The company has no such standing authorisation", 422: "It has ended already" },
    input: z.object({ standingAuthorisationId: id(), reason: textBy(endStandingSchema.shape.reason) }).strict(),
    output: z.boolean(),
    handle: async ({ standingAuthorisationId, ...input }, { user }) => {
      await endOwnStanding(user, standingAuthorisationId, check(endStandingSchema, input).reason);
      return true;
    },
  }),
]);
