import { type Generated } from "kysely";
import { type Moment } from "./columns";

/** Public keys that are refused for ever, for all customers. */
export interface BlockedKeyTable {
  /** See `keyIdentity` of CertificateTable. */
  keyIdentity: string;
  reason: string;
  createdAt: Moment;
}

/** A file of known bad keys that was imported. */
export interface KeyListTable {
  id: Generated<number>;
  name: string;
  /** Keys that are listed because of it; those that an earlier list had are counted there. */
  keyCount: number;
  /** Whether it lists keys of Debian's weak OpenSSL (CVE-2008-0166). */
  hasDebianKeys: boolean;
  createdAt: Moment;
  updatedAt: Moment;
}

/**
 * Known bad keys by their fingerprint (`listFingerprints`): 10 bytes of openssl-blacklist, 15 of badkeys, or 32 of a
 * SubjectPublicKeyInfo.
 */
export interface ListedKeyTable {
  fingerprint: Buffer;
  listId: number;
}

/** Products of RSA moduli, for finding a prime factor that a new one shares with them. */
export interface ModulusProductTable {
  id: Generated<number>;
  keyCount: number;
  /** Unsigned, big-endian. */
  product: Buffer;
  /** Rises with every change of any product: what changed after another change has a higher one. */
  version: number;
}

/** RSA keys that were compared with every stored one and share no prime with it. */
export interface KeyComparisonTable {
  keyIdentity: string;
  /** Every product up to this version was compared. */
  productVersion: number;
  comparedAt: Moment;
}
