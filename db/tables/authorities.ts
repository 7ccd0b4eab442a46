import { type ColumnType, type Generated } from "kysely";
import { type HierarchyName } from "./certificates";
import { type Maybe, type Moment } from "./columns";

export type AuthorityName = "root" | "issuing-sha2" | "root-g3" | "issuing-g3";

export interface AuthorityTable {
  id: Generated<number>;
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  certificate: Buffer;
  subjectName: string;
  notAfter: Moment;
  /** The last CRL number given out, base and delta together (RFC 5280 §5.2.3). */
  crlNumber: ColumnType<number, number | undefined, number>;
  createdAt: Moment;
}

export interface CrlTable {
  id: Generated<number>;
  authorityId: number;
  isDelta: boolean;
  number: number;
  baseNumber: Maybe<number>;
  thisUpdate: Moment;
  nextUpdate: Moment;
  entryCount: number;
  /** Bytes of the DER. */
  size: number;
  /** Hex of the signature's last 32 bytes, which no other list shares. */
  etag: string;
}

/** The bytes of a list, apart from its row: what is asked of lists most is answered without them. */
export interface CrlFileTable {
  crlId: number;
  der: Buffer;
}

/** A delegated OCSP responder of an issuing CA. Rows stay, so that every serial number that a CA has signed is known. */
export interface OcspResponderTable {
  id: Generated<number>;
  authorityId: number;
  /** 1, 2, … of its CA: of two processes that make the next one, one comes first. */
  generation: number;
  /** Upper-case hex. */
  serialNumber: string;
  /** Encrypted like the CA keys, PEM; erased after its certificate's end. */
  privateKey: Maybe<string>;
  /** Recorded before it is signed. */
  tbsCertificate: Buffer;
  certificate: Maybe<Buffer>;
  notBefore: Moment;
  notAfter: Moment;
  createdAt: Moment;
}
