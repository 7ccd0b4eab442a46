import { type KeyObject } from "node:crypto";
import { CaError } from "~/ca/errors.server";
import { type AuthorityName } from "~db/tables";
import { keyFingerprint } from "./key-files.server";
import { type KeyStore } from "./key-store";
import { askForSignature, askForState, signerPlace } from "./signer-client.server";

const NO_NEW_KEYS =
  "The signer makes no keys. Create the CA without SIGNER_SOCKET and SIGNER_URL, then run 'npm run portal -- signer adopt'.";

async function findIssuer(name: AuthorityName) {
  return (await askForState()).issuers.find((issuer) => issuer.name === name) ?? null;
}

/** Throws a CaError `signer` unless the signer has the key of this CA and can use it. */
async function prove(name: AuthorityName, publicKey: KeyObject): Promise<void> {
  const issuer = await findIssuer(name);
  if (!issuer) throw new CaError("signer", `The signer (${signerPlace()}) has no key of '${name}'.`);
  if (issuer.publicKey !== keyFingerprint(publicKey))
    throw new CaError("signer", `The signer has another key of '${name}' than that of its certificate.`);
  if (issuer.problem !== null) throw new CaError("signer", issuer.problem);
}

/** Keys of issuing CAs that only the signer holds. */
export const signerKeyStore: KeyStore = {
  place: (name) => `The key of '${name}' in the signer (${signerPlace()})`,

  async whyTaken(name) {
    if (!(await findIssuer(name))) return null;
    return `The signer has a key '${name}', but the database knows no CA '${name}'. Restore the database.`;
  },

  make: () => Promise.reject(new Error(NO_NEW_KEYS)),

  async settle(name, publicKey) {
    return (await findIssuer(name))?.publicKey === keyFingerprint(publicKey);
  },

  async open(name, publicKey, hash) {
    await prove(name, publicKey);
    return { hash, sign: (tbs) => askForSignature(name, tbs) };
  },

  prove,
};
