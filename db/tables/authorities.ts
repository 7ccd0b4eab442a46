import { type ColumnType, type Generated } from "kysely";
import { type HierarchyName } from "./certificates";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

export type RootName = "root" | "root-g3";

export type AuthorityName = RootName | `issuing-${string}`;

export interface AuthorityTable {
  id: Generated<number>;
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: boolean;
  /** What people call it, such as in REP-01. */
  caption: string;
  certificate: Buffer;
  subjectName: string;
  notAfter: Timestamp;
  /** When an issuing CA begins to issue. Null for roots, and while nobody has decided it. */
  issuesFrom: MaybeTimestamp;
  /** From when an issuing CA renews nothing more. */
  renewalsUntil: MaybeTimestamp;
  /** When its root revoked it, or an operator recorded that its key is compromised. */
  revokedAt: MaybeTimestamp;
  /** The last CRL number that was assigned. Base and delta CRLs share the numbers (RFC 5280 §5.2.3). */
  crlNumber: ColumnType<number, number | undefined, number>;
  createdAt: Timestamp;
}

export interface CrlTable {
  id: Generated<number>;
  authorityId: number;
  isDelta: boolean;
  number: number;
  baseNumber: Maybe<number>;
  thisUpdate: Timestamp;
  nextUpdate: Timestamp;
  entryCount: number;
  /** Size of the DER in bytes. */
  size: number;
  /** Hex of the last 32 bytes of the signature, which no other CRL shares. */
  etag: string;
}

/** The bytes of a CRL, stored apart from its row because most queries about CRLs do not need them. */
export interface CrlFileTable {
  crlId: number;
  der: Buffer;
}

/** A delegated OCSP responder of an issuing CA. Rows are never deleted, so that every serial number that a CA has signed stays known. */
export interface OcspResponderTable {
  id: Generated<number>;
  authorityId: number;
  /** Counts up from 1 for each CA. When two processes make the next responder, only one succeeds. */
  generation: number;
  /** Upper-case hex. */
  serialNumber: string;
  /** PEM, encrypted like the CA keys. Erased after the certificate has expired. */
  privateKey: Maybe<string>;
  /** Stored before it is signed. */
  tbsCertificate: Buffer;
  certificate: Maybe<Buffer>;
  notBefore: Timestamp;
  notAfter: Timestamp;
  createdAt: Timestamp;
}

/** A certificate for the name and the key of a CA, signed by another CA. */
export interface CrossCertificateTable {
  id: Generated<number>;
  /** The CA that it is for. */
  authorityId: number;
  /** The root that signed it. Null when another organisation or a former root did. */
  issuerId: Maybe<number>;
  /** DER of the CA that signed it, when that is none of the portal. */
  issuerCertificate: Maybe<Buffer>;
  issuerName: string;
  certificate: Buffer;
  /** Upper-case hex. */
  serialNumber: string;
  notBefore: Timestamp;
  notAfter: Timestamp;
  /** The SHA-256 of the certificate in upper-case hex. */
  thumbprint: string;
  createdAt: Timestamp;
  /** When the root that signed it revoked it. */
  revokedAt: MaybeTimestamp;
}
