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
  /** HMAC-SHA-256 of the entry: of `commitment` in place of the personal data or, in an older entry, of the data itself. */
  mac: Maybe<Buffer>;
  /** The name of the key of `mac`. */
  keyId: Maybe<string>;
  /**
   * HMAC-SHA-256, with `salt` as its key, of the personal data: `actorName`, `message` and `address`. Null for entries from before
   * 0016-personal-data.
   */
  commitment: Maybe<Buffer>;
  /** 32 random octets. Destroyed together with the personal data. */
  salt: Maybe<Buffer>;
  /** HMAC-SHA-256 of the entry as the erasure of a person left it. Null while nothing of the entry is erased. */
  erasedSeal: Maybe<Buffer>;
}

/** The entries from which the data of a person was erased. The entry of the erasure seals the list. */
export interface AuditErasureTable {
  /** The account that was erased. */
  userId: number;
  entryId: number;
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
  /** The first entry after the checkpoint before. Null, as is `root`, in checkpoints from before 0047-audit-roots. */
  firstSequence: Maybe<number>;
  /** The root of the hash tree (RFC 9162) over the entries from `firstSequence` to `sequence`. */
  root: Maybe<Buffer>;
}
