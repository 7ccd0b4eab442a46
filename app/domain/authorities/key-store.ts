import { type KeyObject } from "node:crypto";
import { type SignatureHash, type Signer } from "~/ca/signer.server";
import { type AuthorityName } from "~db/tables";

/** A key just made: it waits until its authority is stored, so that a key without an authority is never one of ours. */
export interface WaitingKey {
  publicKey: KeyObject;
  signer: (hash: SignatureHash) => Signer;
}

/** Where keys of authorities are kept. */
export interface KeyStore {
  /** Where the key is, as a sentence can begin. */
  place(name: AuthorityName): string;
  /** Why no new authority may be made: a key is in its place that no authority claims. Null when the place is empty. */
  whyTaken(name: AuthorityName): Promise<string | null>;
  /** Makes an RSA key of so many bits, which waits. */
  make(name: AuthorityName, bits: number): Promise<WaitingKey>;
  /**
   * Puts the waiting key of a stored authority in its place, when it is not there, and removes those of other attempts.
   * Out: false when there is none. Throws Error when another key is in its place.
   */
  settle(name: AuthorityName, publicKey: KeyObject): Promise<boolean>;
  /** Opens the key and proves that it is the one of this public key. Throws Error or CaError. */
  open(name: AuthorityName, publicKey: KeyObject, hash: SignatureHash): Promise<Signer>;
}
