import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

export interface MailTable {
  id: Generated<number>;
  /** Unique key of the message. It prevents duplicates when an operation is retried. */
  dedupeKey: string;
  recipient: string;
  subject: string;
  /** Emptied, like `html`, as soon as the message is sent. */
  text: string;
  html: string;
  orderId: Maybe<number>;
  /** The invoice whose PDF is attached. */
  invoiceId: Maybe<number>;
  createdAt: Timestamp;
  attempts: ColumnType<number, number | undefined, number>;
  nextAttemptAt: Timestamp;
  leasedUntil: MaybeTimestamp;
  sentAt: MaybeTimestamp;
  lastError: Maybe<string>;
  /** When it was last claimed for sending. */
  triedAt: MaybeTimestamp;
  /** When the current series of failed attempts began. */
  failingSince: MaybeTimestamp;
  /** When the mail server refused it permanently. It is not tried again unless staff ask for it. */
  rejectedAt: MaybeTimestamp;
  /** When staff dismissed a rejected or held message, or when the message was no longer needed. Its text is emptied then. */
  dismissedAt: MaybeTimestamp;
  /** The account whose email address must be confirmed before this message is sent. */
  awaitsUserId: Maybe<number>;
  /** Whether the recipient is somebody whom the customer named: an authentication contact or an invoice address. */
  isContact: ColumnType<boolean, boolean | undefined, boolean>;
  /** For a message to a contact, the address at which the contact can stop further messages. Removed together with the text. */
  stopUrl: Maybe<string>;
}

/** Email addresses, in lower case, whose owners want no messages as a contact. */
export interface ContactStopTable {
  email: string;
  stoppedAt: Timestamp;
  /** The order whose message contained the link. */
  orderId: Maybe<number>;
}

export interface JobTable {
  name: string;
  nextRunAt: Timestamp;
  leasedUntil: MaybeTimestamp;
  leasedBy: Maybe<string>;
  lastStartedAt: MaybeTimestamp;
  lastFinishedAt: MaybeTimestamp;
  /** Result of the last run, or null when it failed. */
  lastResult: Maybe<string>;
  /** Error of the last run, or null when it succeeded. */
  lastError: Maybe<string>;
  lastDurationMs: Maybe<number>;
  lastSucceededAt: MaybeTimestamp;
  /** When a run last failed, even if later runs succeeded. */
  lastFailedAt: MaybeTimestamp;
  lastFailure: Maybe<string>;
  /** Total number of failed runs. */
  failures: ColumnType<number, number | undefined, number>;
}

/** Something that is or was wrong with the portal itself: a rule of `app/domain/alerts` that holds, or held. */
export interface AlertTable {
  id: Generated<number>;
  /** The name of the rule. */
  rule: string;
  /** What the rule holds for, such as the name of a CA. "" when there is only one such thing. */
  subject: string;
  heldSince: Timestamp;
  lastHeldAt: Timestamp;
  /** When it had held for long enough to be an alert. */
  begunAt: MaybeTimestamp;
  /** When it last held, once it has not held for long enough. An open row has none. */
  endedAt: MaybeTimestamp;
  /** The latest of its messages, and when it was queued. */
  told: Maybe<"begun" | "lasting" | "ended">;
  toldAt: MaybeTimestamp;
}

/** A run of the nightly audit of everything that was issued. */
export interface CertificateAuditTable {
  id: Generated<number>;
  startedAt: Timestamp;
  /** Null while it runs, and when it was interrupted. */
  finishedAt: MaybeTimestamp;
  /** The id of the last certificate that was audited. The next run of the job goes on from there. */
  afterId: number;
  /** The number of certificates that have been audited. */
  checked: number;
}

/** Something that the nightly audit found wrong. */
export interface AuditFindingTable {
  id: Generated<number>;
  /** The name of a rule in `app/domain/certificate-audit`. */
  rule: string;
  /** What it is about, such as `certificate 10001` or `base CRL of issuing-sha2`. */
  subject: string;
  /** The certificate that it is about, or null. */
  certificateId: Maybe<number>;
  /** What was found, as whole sentences without personal data. */
  cause: string;
  firstSeenAt: Timestamp;
  lastSeenAt: Timestamp;
  /** The latest run that saw it. */
  auditId: number;
  /** When a whole run no longer saw it. Null while the finding is open. */
  settledAt: MaybeTimestamp;
}

/** What the public status can report: a base CRL, a delta CRL or an OCSP responder that is late, contradictions, or that the portal was down. */
export type StatusEventKind = "list" | "delta-list" | "responder" | "audit" | "down";

/** Something that was late, contradictory or down, as the public status shows it. */
export interface StatusEventTable {
  id: Generated<number>;
  kind: StatusEventKind;
  /** The name of the CA, or "" when it is about no CA. */
  subject: string;
  begunAt: Timestamp;
  /** Null while it lasts. */
  endedAt: MaybeTimestamp;
}

/** How long a revocation took until it was published, for the figures of the public status. */
export interface RevocationPublicationTable {
  certificateId: number;
  /** When it was asked for, or the date for which it was scheduled. */
  askedAt: Timestamp;
  /** When the CRLs that contain it were published. Null until then. */
  publishedAt: MaybeTimestamp;
}

/** Settings that can change while the portal runs: homepage settings and saved entries such as `queryParams`. */
export interface SettingTable {
  name: string;
  /** 0 for the portal's own settings, otherwise the user who owns the entry. */
  userId: number;
  value: string;
  updatedAt: Timestamp;
}

/** Used by rate-limiter-flexible, which determines the column names. */
export interface RateLimitTable {
  key: string;
  points: number;
  expire: Maybe<number>;
}

/** A single row that is written to check whether anything can be stored. */
export interface WriteProbeTable {
  id: number;
  writtenAt: Timestamp;
}
