import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

/** Programs that log in with a secret of their own (OAuth 2 client credentials), for a company or for staff. */
export interface ApiClientTable {
  id: Generated<number>;
  /** The public name with which the program logs in. */
  clientId: string;
  name: string;
  /** The company for which the client works. Null for a client of staff. */
  companyId: Maybe<number>;
  /** The owner, or the user administrator, who answers for the client. Without that role or right the client is paused. */
  responsibleId: number;
  /** Separated by spaces. */
  scopes: string;
  /** The networks from which the client may be used (CIDR), separated by spaces. Empty for all. */
  networks: string;
  createdAt: Timestamp;
  endsAt: Timestamp;
  revokedAt: MaybeTimestamp;
  /** Written at most every five minutes. */
  lastUsedAt: MaybeTimestamp;
  lastUsedAddress: ColumnType<string, string | undefined, string>;
}

/** The secrets of API clients. Only the SHA-256 hash of 256 random bits is stored. */
export interface ApiClientSecretTable {
  id: Generated<number>;
  apiClientId: number;
  secretHash: string;
  createdAt: Timestamp;
  createdBy: number;
  /** When the secret ends, or ended. Null for one that is valid until somebody ends it. */
  endsAt: MaybeTimestamp;
  lastUsedAt: MaybeTimestamp;
}

/** The access tokens of API clients. Only their SHA-256 hash is stored. They end with the secret that they were made with. */
export interface ApiClientTokenTable {
  tokenHash: string;
  secretId: number;
  /** The scopes of this token, which may be fewer than those of the client. */
  scopes: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}
