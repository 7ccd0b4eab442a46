import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type Timestamp } from "./columns";

export interface SecurityEventTable {
  id: Generated<number>;
  at: Timestamp;
  /** When it last happened, for a row that counts many events. */
  lastAt: Timestamp;
  /** How many events the row stands for. */
  times: ColumnType<number, number | undefined, number>;
  event: string;
  outcome: "success" | "failure";
  /** The account concerned. */
  userId: Maybe<number>;
  /** The email of whoever acted, as far as it is known. */
  actorName: Maybe<string>;
  /** The administrator who acted as the user. */
  impersonatorId: Maybe<number>;
  address: Maybe<string>;
  /** The network of the address, by which bursts are counted. */
  network: Maybe<string>;
  /** The address as 32 hexadecimal digits (`addressDigits`), by which networks are searched. */
  addressDigits: Maybe<string>;
  userAgent: Maybe<string>;
  /** The path of the request without tokens. */
  path: Maybe<string>;
  requestId: Maybe<string>;
  /** A sentence for people. */
  detail: string;
}
