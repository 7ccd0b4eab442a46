import { Token } from "~/ca/pkcs11/token.server";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type AuthorityName } from "~db/tables";
import { fileKeyStore } from "./file-key-store.server";
import { type KeyStore } from "./key-store";
import { tokenKeyStore } from "./token-key-store.server";

/** The keys in the token of the PKCS11_ variables. Throws when they are not set. */
export const tokenKeys = memoize(() => {
  const { pkcs11 } = getEnv();
  if (!pkcs11) throw new Error("PKCS11_MODULE is not set.");
  return tokenKeyStore(new Token(pkcs11));
});

/** Where the key of this authority is kept: in the token of PKCS11_MODULE when PKCS11_AUTHORITIES names it, else in a file. */
export const keyStoreOf = (name: AuthorityName): KeyStore =>
  getEnv().pkcs11?.authorities.includes(name) ? tokenKeys() : fileKeyStore;
