import { defineListQuery, type ParamsOf } from "~/lib/list-params";

/** What companies can be told of, in the order of the form. */
export const WEBHOOK_EVENTS = {
  "order.placed": "An order was placed",
  "order.corrected": "An order was corrected",
  "order.rejected": "An order for a certificate was rejected",
  "order.cancelled": "An order was cancelled",
  "certificate.issued": "A certificate was issued",
  "certificate.revoked": "A certificate was revoked",
  "certificate.partners-ready": "All partners have imported a certificate",
  "certificate.expiring": "A certificate ends soon",
  "certificate.expired": "A certificate has expired",
  "invoice.issued": "An invoice was issued",
  "invoice.credited": "A credit note was issued",
  "code.registered": "A code was registered",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

/** The event of a test, which every endpoint gets that an owner sends it to. */
export const TEST_EVENT = "webhook.test";

export const EXPIRING: WebhookEvent = "certificate.expiring";

export const isWebhookEvent = (name: string): name is WebhookEvent => Object.hasOwn(WEBHOOK_EVENTS, name);

/** Returns the names in a stored list, in the order of the form. */
export const readEvents = (stored: string): WebhookEvent[] => {
  const names = stored.split(" ");
  return (Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]).filter((event) => names.includes(event));
};

/** Returns the numbers in a stored or typed list, the highest first. */
export const readDayNumbers = (text: string): number[] =>
  [...new Set(text.split(/[\s,]+/).filter(Boolean))].map(Number).toSorted((one, other) => other - one);

/** The most endpoints of a company. */
export const MOST_ENDPOINTS = 5;

/** The longest address, and the longest description. */
export const LONGEST_URL = 2000;
export const LONGEST_DESCRIPTION = 100;

/** The most numbers of days before the end of a certificate, and the highest of them. */
export const MOST_EXPIRY_DAYS = 5;
export const HIGHEST_EXPIRY_DAYS = 180;

/** For how many hours the secret before the newest signs too. */
export const OVERLAP_HOURS = 24;

/** For how many days deliveries are kept. */
export const DELIVERIES_KEPT_DAYS = 30;

/** The id of the form of an endpoint. */
export const ENDPOINT_FORM = "webhook";

/** The deliveries to one endpoint, the latest first. */
export const deliveryList = defineListQuery({
  sorts: ["made"],
  first: { key: "made", direction: "desc" },
  filters: {},
});

export type DeliveryListParams = ParamsOf<typeof deliveryList>;
