import { createPublicKey, type KeyObject } from "node:crypto";
import { CaError } from "~/ca/errors.server";
import { keyFingerprint } from "~/ca/key-text.server";
import { type AuthorityName } from "~db/tables";
import { type KeyStore } from "./key-store";
import {
  askForRequest,
  askForSignature,
  askForState,
  giveCertificate,
  makeKey,
  signerPlace,
} from "./signer-client.server";

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

  async make(name, bits) {
    const spkiDer = await makeKey(name, { bits });
    const publicKey = createPublicKey({ key: Buffer.from(spkiDer), format: "der", type: "spki" });
    const key = keyFingerprint(publicKey);
    return {
      publicKey,
      signer: (hash) => ({ hash, sign: (information) => askForRequest(name, { key, hash }, information) }),
    };
  },

  async settle(name, publicKey, certificate) {
    const known = await findIssuer(name);
    if (known) return known.publicKey === keyFingerprint(publicKey);
    return giveCertificate(name, certificate);
  },

  async open(name, publicKey, hash) {
    await prove(name, publicKey);
    return { hash, sign: (tbs, standing) => askForSignature(name, tbs, standing) };
  },

  prove,
};
