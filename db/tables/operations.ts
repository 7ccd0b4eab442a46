import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeMoment, type Moment } from "./columns";

export interface MailTable {
  id: Generated<number>;
  /** One message per key, whatever is retried. */
  dedupeKey: string;
  recipient: string;
  subject: string;
  /** Empty, like the next one, as soon as the message is sent. */
  text: string;
  html: string;
  orderId: Maybe<number>;
  /** The invoice whose PDF goes with it. */
  invoiceId: Maybe<number>;
  createdAt: Moment;
  attempts: ColumnType<number, number | undefined, number>;
  nextAttemptAt: Moment;
  leasedUntil: MaybeMoment;
  sentAt: MaybeMoment;
  lastError: Maybe<string>;
  /** When it was claimed last. */
  triedAt: MaybeMoment;
  /** When the first of the tries failed that have failed since. */
  failingSince: MaybeMoment;
  /** When the mail server refused it for good: it is not tried again unless staff ask for it. */
  rejectedAt: MaybeMoment;
  /** When staff gave it up, rejected or held as it was, or when it was no longer needed; its text is empty then, too. */
  dismissedAt: MaybeMoment;
  /** The account whose e-mail address must be confirmed before this message is sent. */
  awaitsUserId: Maybe<number>;
  /** Whether it goes to somebody whom the customer named: an authentication contact or an invoice address. */
  isContact: ColumnType<boolean, boolean | undefined, boolean>;
  /** Of a message to a contact: where the contact stops further messages. Removed with the text. */
  stopUrl: Maybe<string>;
}

/** E-mail addresses, in lower case, that want no messages as a contact. */
export interface ContactStopTable {
  email: string;
  stoppedAt: Moment;
  /** The order whose message carried the link. */
  orderId: Maybe<number>;
}

export interface JobTable {
  name: string;
  nextRunAt: Moment;
  leasedUntil: MaybeMoment;
  leasedBy: Maybe<string>;
  lastStartedAt: MaybeMoment;
  lastFinishedAt: MaybeMoment;
  /** Of the last run: null when it failed. */
  lastResult: Maybe<string>;
  /** Of the last run: null when it succeeded. */
  lastError: Maybe<string>;
  lastDurationMs: Maybe<number>;
  lastSucceededAt: MaybeMoment;
  /** Of the latest run that failed, whatever came after it. */
  lastFailedAt: MaybeMoment;
  lastFailure: Maybe<string>;
  /** Runs that failed, ever. */
  failures: ColumnType<number, number | undefined, number>;
}

/** Configuration that is changed while running: homepage settings and saved entries such as `queryParams`. */
export interface SettingTable {
  name: string;
  /** 0 for the portal's own settings, else the user that the entry belongs to. */
  userId: number;
  value: string;
  updatedAt: Moment;
}

/** Owned by rate-limiter-flexible; its column names. */
export interface RateLimitTable {
  key: string;
  points: number;
  expire: Maybe<number>;
}

/** One row, written to see whether anything can be stored. */
export interface WriteProbeTable {
  id: number;
  writtenAt: Moment;
}
