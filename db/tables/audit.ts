import { type Generated } from "kysely";
import { type Maybe, type Timestamp } from "./columns";

export interface AuditTable {
  id: Generated<number>;
  at: Timestamp;
  actorId: Maybe<number>;
  /** The administrator who acted as the user. */
  impersonatorId: Maybe<number>;
  actorName: string;
  event: string;
  message: string;
  userId: Maybe<number>;
  orderId: Maybe<number>;
  certificateId: Maybe<number>;
  codeId: Maybe<number>;
  reference: Maybe<string>;
  /** The client address of a person's request. Null for what the portal does by itself, and for entries from before it was recorded. */
  address: Maybe<string>;
  /** The API client that acted. The actor is then the person who answers for it. */
  apiClientId: Maybe<number>;
  /**
   * The message in the form in which it is searched (`searchableMessage`), or null when that is the message in lower case. It is not
   * sealed, because it is derived from the message.
   */
  searchText: Maybe<string>;
  /** Position in the chain, from 1 without gaps. Null only for an entry that the portal did not add. */
  sequence: Maybe<number>;
  /** The `mac` of the previous entry. */
  previous: Maybe<Buffer>;
  /** HMAC-SHA-256 of the whole entry. */
  mac: Maybe<Buffer>;
  /** The name of the key of `mac`. */
  keyId: Maybe<string>;
}

/** The head of the audit chain, a single row. */
export interface AuditHeadTable {
  id: number;
  /** Sequence of the last entry; `entryId` and `mac` are of the same entry. 0 before the first entry. */
  sequence: number;
  entryId: number;
  mac: Buffer;
  keyId: string;
  /** HMAC-SHA-256 of this row. */
  seal: Buffer;
}

/** Signed statements about the state of the chain at a point in time. */
export interface AuditCheckpointTable {
  /** Sequence of the last entry at that time; `mac` is of the same entry. */
  sequence: number;
  at: Timestamp;
  mac: Buffer;
  keyId: string;
  /** Ed25519 signature. */
  signature: Buffer;
}
