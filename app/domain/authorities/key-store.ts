import { type KeyObject } from "node:crypto";
import { type SignatureHash, type Signer } from "~/ca/signer.server";
import { type AuthorityName } from "~db/tables";

/**
 * A new key that waits until its authority is stored. A key in its final place without an authority therefore never comes from this portal.
 */
export interface WaitingKey {
  publicKey: KeyObject;
  signer: (hash: SignatureHash) => Signer;
}

/** The key of an authority that is open. */
export interface OpenSigner extends Signer {
  /**
   * Returns the signature of the TBS bytes.
   * @param standing The standing authorisation under which the certificate was ordered, if any. Only the signer looks at it.
   */
  sign(tbs: Uint8Array, standing?: number | null): Promise<Uint8Array>;
}

/** Stores the keys of authorities. */
export interface KeyStore {
  /** Returns where the key is stored, as the beginning of a sentence. */
  place(name: AuthorityName): string;
  /** Returns why no new authority may be created: there is a key that belongs to no authority. Returns null when there is no key. */
  whyTaken(name: AuthorityName): Promise<string | null>;
  /** Creates a waiting RSA key with this number of bits. */
  make(name: AuthorityName, bits: number): Promise<WaitingKey>;
  /**
   * Moves the waiting key of a stored authority to its final place, unless it is already there, and removes the keys of other attempts.
   * Returns false when there is no key. Throws an Error when the stored key is a different one.
   *
   * @param certificate The certificate of the authority, which has the public key.
   */
  settle(name: AuthorityName, publicKey: KeyObject, certificate: Uint8Array): Promise<boolean>;
  /** Opens the key and proves that it matches this public key. Throws an Error or a CaError. */
  open(name: AuthorityName, publicKey: KeyObject, hash: SignatureHash): Promise<OpenSigner>;
  /** Proves that the key can still be opened, whatever signer this process holds. Throws an Error or a CaError otherwise. */
  prove(name: AuthorityName, publicKey: KeyObject, hash: SignatureHash): Promise<void>;
}
