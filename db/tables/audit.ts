import { type Generated } from "kysely";
import { type Maybe, type Moment } from "./columns";

export interface AuditTable {
  id: Generated<number>;
  at: Moment;
  actorId: Maybe<number>;
  /** The administrator behind a login-as-user. */
  impersonatorId: Maybe<number>;
  actorName: string;
  event: string;
  message: string;
  userId: Maybe<number>;
  orderId: Maybe<number>;
  certificateId: Maybe<number>;
  codeId: Maybe<number>;
  reference: Maybe<string>;
  /** The message as it is searched (`searchableMessage`); null when that is the message in small letters. Not sealed: it follows from the message. */
  searchText: Maybe<string>;
  /** Place in the chain, from 1 on without gaps; null until entries from before the chain are sealed. */
  sequence: Maybe<number>;
  /** `mac` of the entry before. */
  previous: Maybe<Buffer>;
  /** HMAC-SHA-256 over all of the entry. */
  mac: Maybe<Buffer>;
  /** Names the key of `mac`. */
  keyId: Maybe<string>;
}

/** One row: where the chain stands. */
export interface AuditHeadTable {
  id: number;
  /** Of the last entry, as are the next two; 0 before the first. */
  sequence: number;
  entryId: number;
  mac: Buffer;
  /** Entries up to this id are from before the chain and not sealed yet; null: all are. */
  unsealedUntil: Maybe<number>;
  keyId: string;
  /** HMAC-SHA-256 over this row. */
  seal: Buffer;
}

/** Signed statements of what the chain was. */
export interface AuditCheckpointTable {
  /** Of the entry that was the last one, as is `mac`. */
  sequence: number;
  at: Moment;
  mac: Buffer;
  keyId: string;
  /** Ed25519. */
  signature: Buffer;
}
