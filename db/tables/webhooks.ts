import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

/** Addresses to which the portal sends what happens in a company (Standard Webhooks). */
export interface WebhookEndpointTable {
  id: Generated<number>;
  companyId: number;
  url: string;
  description: string;
  /** The names of the events that it wants, separated by spaces. */
  events: string;
  /** For the event `certificate.expiring`, the numbers of days before the end, separated by spaces. */
  expiryDays: string;
  /** The sealed secret that signs what is sent. */
  secret: string;
  secretMadeAt: Timestamp;
  /** The sealed secret before it, which signs too until `earlierEndsAt`. */
  earlierSecret: Maybe<string>;
  earlierEndsAt: MaybeTimestamp;
  createdAt: Timestamp;
  /** The last entry of the audit trail before the endpoint was made. It is told only of later ones. */
  afterSequence: number;
  pausedAt: MaybeTimestamp;
  /** Why the portal paused it, as a sentence. Null when an owner did. */
  pausedWhy: Maybe<string>;
  /** When something was delivered last, and when a try failed last. */
  deliveredAt: MaybeTimestamp;
  failedAt: MaybeTimestamp;
}

/** What is sent to endpoints. A row is kept for 30 days. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  endpointId: number;
  /** What it is about, such as `audit:4711`. Unique for each endpoint, so that nothing is announced twice. */
  source: string;
  /** The header `webhook-id`, which stays the same in every try. */
  messageId: string;
  event: string;
  /** The JSON text as it is sent. */
  body: string;
  createdAt: Timestamp;
  /** When the tries began: when the row was made, or when an owner sent it again. */
  begunAt: Timestamp;
  /** The number of tries since then. */
  attempts: ColumnType<number, number | undefined, number>;
  nextAttemptAt: Timestamp;
  triedAt: MaybeTimestamp;
  leasedUntil: MaybeTimestamp;
  deliveredAt: MaybeTimestamp;
  givenUpAt: MaybeTimestamp;
  /** The HTTP status of the last answer. Null when none came. */
  statusCode: Maybe<number>;
  lastError: Maybe<string>;
}

/** A single row: the last entry of the audit trail that was read for webhooks. */
export interface WebhookPositionTable {
  id: number;
  sequence: number;
}
