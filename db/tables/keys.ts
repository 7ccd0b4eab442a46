import { type Generated } from "kysely";
import { type Timestamp } from "./columns";

/** Blocklist: public keys that are refused for ever, for all customers. */
export interface BlockedKeyTable {
  /** See `keyIdentity` of CertificateTable. */
  keyIdentity: string;
  reason: string;
  createdAt: Timestamp;
}

/** An imported file of known bad keys. */
export interface KeyListTable {
  id: Generated<number>;
  name: string;
  /** Number of keys that this file added. Keys that an earlier file already contained are counted there. */
  keyCount: number;
  /** Whether the file contains keys of Debian's weak OpenSSL (CVE-2008-0166). */
  hasDebianKeys: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/**
 * Known bad keys by fingerprint (`listFingerprints`): 10 bytes from openssl-blacklist, 15 bytes from badkeys, or the 32 bytes of the
 * SHA-256 of a SubjectPublicKeyInfo.
 */
export interface ListedKeyTable {
  fingerprint: Buffer;
  listId: number;
}

/** Products of RSA moduli, for finding a prime factor that a new modulus shares with them. */
export interface ModulusProductTable {
  id: Generated<number>;
  keyCount: number;
  /** Unsigned, big-endian. */
  product: Buffer;
  /** Rises with every change of any product, so that a later change always has a higher version. */
  version: number;
}

/** RSA keys that were compared with every stored key and share no prime with any of them. */
export interface KeyComparisonTable {
  keyIdentity: string;
  /** The key was compared with every product up to this version. */
  productVersion: number;
  comparedAt: Timestamp;
}
