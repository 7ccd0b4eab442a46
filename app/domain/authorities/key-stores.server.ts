import { Token } from "~/ca/pkcs11/token.server";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type AuthorityName } from "~db/tables";
import { fileKeyStore } from "./file-key-store.server";
import { type KeyStore } from "./key-store";
import { keyKindOf } from "./passphrases.server";
import { signerKeyStore } from "./signer-key-store.server";
import { tokenKeyStore } from "./token-key-store.server";

/** Returns the key store of the PKCS #11 token that the PKCS11_ variables name. Throws when they are not set. */
export const tokenKeys = memoize(() => {
  const { pkcs11 } = getEnv();
  if (!pkcs11) throw new Error("PKCS11_MODULE is not set.");
  return tokenKeyStore(new Token(pkcs11));
});

/**
 * Returns the key store of an authority: the signer for an issuing CA when there is one (SIGNER_SOCKET, SIGNER_URL or SIGNER_CHILD), the token of
 * PKCS11_MODULE when PKCS11_AUTHORITIES names the authority, otherwise files.
 */
export function keyStoreOf(name: AuthorityName): KeyStore {
  if (getEnv().signerWay && keyKindOf(name) === "issuing") return signerKeyStore;
  return getEnv().pkcs11?.authorities.includes(name) ? tokenKeys() : fileKeyStore;
}
