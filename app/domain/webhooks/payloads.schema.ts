import { z } from "zod";
import { type TEST_EVENT, type WebhookEvent } from "./events";

const id = (what: string) => z.number().int().describe(`The id of ${what}, as calls use it`);
const moment = (what: string) => z.string().datetime().nullable().describe(what);
const page = (what: string) => z.string().url().describe(`The page of ${what}, for people who are logged in`);

const orderData = z.object({
  orderId: id("the order"),
  orderNumber: z.string().describe("The number of the order, such as `SO-1001`"),
  kind: z.enum(["certificate", "codes", "maintenance"]).describe("What the order is for"),
  status: z.enum(["Open", "Invoiced", "Paid", "Cancelled"]),
  certificateId: id("the certificate").nullable(),
  commonName: z.string().nullable().describe("The host name of the certificate"),
  url: page("the order"),
});

const certificateData = z.object({
  certificateId: id("the certificate"),
  orderId: id("its order"),
  orderNumber: z.string().describe("The number of the order, such as `SO-1001`"),
  commonName: z.string().describe("The host name"),
  status: z.string().describe("The status when the message was made, such as `Issued`"),
  serialNumber: z.string().nullable().describe("Hexadecimal"),
  sha256: z.string().nullable().describe("The SHA-256 fingerprint of the certificate, hexadecimal"),
  notBefore: moment("From when it is valid"),
  notAfter: moment("Until when it is valid"),
  url: page("the certificate"),
});

const revokedData = certificateData.extend({
  revokedAt: moment("From when it counts as revoked"),
  reason: z.string().describe("The reason, such as `Superseded`"),
});

const expiringData = certificateData.extend({
  daysBefore: z.number().int().describe("For which of the chosen numbers of days the event is sent"),
});

const invoiceData = z.object({
  invoiceId: id("the invoice or credit note"),
  number: z.string().describe("Its number, such as `INV-2026-00001` or `CN-2026-00001`"),
  orderId: id("its order, or the first one of a monthly invoice"),
  orderNumber: z.string().describe("The number of that order, such as `SO-1001`"),
  orderNumbers: z
    .array(z.string())
    .describe("The numbers of all orders of a monthly invoice, otherwise that of the one order"),
  totalCents: z.number().int().describe("The total in cents of a euro, with VAT"),
  issuedAt: moment("When it was issued"),
  url: page("the PDF"),
});

const codeData = z.object({
  codeId: id("the code"),
  code: z.string().describe("The code, with the sub-code"),
  codeType: z.enum(["OFTP", "Full", "Basic"]),
  orderId: id("the order that paid for it").nullable(),
  url: page("the code"),
});

/** What the member `data` contains, for each event. It names no person. */
export const WEBHOOK_DATA = {
  "order.placed": orderData,
  "order.corrected": orderData,
  "order.rejected": orderData,
  "order.cancelled": orderData,
  "certificate.issued": certificateData,
  "certificate.revoked": revokedData,
  "certificate.partners-ready": certificateData,
  "certificate.expiring": expiringData,
  "certificate.expired": certificateData,
  "invoice.issued": invoiceData,
  "invoice.credited": invoiceData,
  "code.registered": codeData,
  "webhook.test": z.object({ endpointId: z.number().int().describe("The number of the webhook on its page") }),
} as const satisfies Record<WebhookEvent | typeof TEST_EVENT, z.AnyZodObject>;

export type WebhookData<Event extends keyof typeof WEBHOOK_DATA> = z.infer<(typeof WEBHOOK_DATA)[Event]>;

/** Returns the schema of the body of a message about this event. */
export const webhookBodySchema = (event: keyof typeof WEBHOOK_DATA) =>
  z.object({
    type: z.literal(event),
    timestamp: z.string().datetime().describe("When it happened"),
    data: WEBHOOK_DATA[event],
  });
