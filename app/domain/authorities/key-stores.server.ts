import { Token } from "~/ca/pkcs11/token.server";
import { getEnv } from "~/lib/env.server";
import { type AuthorityName } from "~db/tables";
import { fileKeyStore } from "./file-key-store.server";
import { type KeyStore } from "./key-store";
import { tokenKeyStore } from "./token-key-store.server";

// server.ts and the Remix bundle each hold a copy of this module: the open token lives on globalThis.
const holder = globalThis as typeof globalThis & { __marqueTokenKeys?: KeyStore };

/** Where the key of this authority is kept: in the token of PKCS11_MODULE when PKCS11_AUTHORITIES names it, else in a file. */
export function keyStoreOf(name: AuthorityName): KeyStore {
  const { pkcs11 } = getEnv();
  if (!pkcs11?.authorities.includes(name)) return fileKeyStore;
  return (holder.__marqueTokenKeys ??= tokenKeyStore(new Token(pkcs11)));
}
