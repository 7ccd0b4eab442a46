import { type KeyObject, verify } from "node:crypto";
import { type Token } from "~/ca/pkcs11/token.server";
import { type SignatureHash, type Signer } from "~/ca/signer.server";
import { type AuthorityName } from "~db/tables";
import { type KeyStore } from "./key-store";

const waitingLabel = (name: AuthorityName) => `${name}.waiting`;

/** The text that a key signs to prove that it works. It is neither a certificate nor a CRL. */
const PROOF = Buffer.from("This signature shows that the key of a certificate authority answers.\n");

/** Returns a store for keys on a PKCS #11 token. The label of a key is the name of its authority. */
export function tokenKeyStore(token: Token): KeyStore {
  const holds = async (label: string, publicKey: KeyObject) =>
    (await token.listPublicKeys(label)).some((key) => key.equals(publicKey));

  async function adopt(name: AuthorityName, publicKey: KeyObject): Promise<boolean> {
    if (!(await holds(waitingLabel(name), publicKey))) return holds(name, publicKey); // another process may have relabelled the key
    await token.relabelKey(waitingLabel(name), name, publicKey);
    return true;
  }

  async function open(name: AuthorityName, publicKey: KeyObject, hash: SignatureHash): Promise<Signer> {
    const signer = token.signer(name, publicKey, hash);
    if (!verify(hash, PROOF, publicKey, await signer.sign(PROOF))) {
      throw new Error(`The token '${token.label}' signs wrongly with the key '${name}'.`);
    }
    return signer;
  }

  return {
    place: (name) => `The key '${name}' of the token '${token.label}'`,

    async whyTaken(name) {
      if ((await token.listPublicKeys(name)).length === 0) return null;
      return `The token '${token.label}' holds a key '${name}', but the database knows no CA '${name}'. Restore the database, or give the key another label.`;
    },

    async make(name, bits) {
      const label = waitingLabel(name);
      const publicKey = await token.generateKey(label, bits);
      return { publicKey, signer: (hash) => token.signer(label, publicKey, hash) };
    },

    async settle(name, publicKey) {
      if (!(await holds(name, publicKey)) && !(await adopt(name, publicKey))) return false;
      await token.removeKeys(waitingLabel(name));
      return true;
    },

    open,

    prove: async (...key) => void (await open(...key)),
  };
}
