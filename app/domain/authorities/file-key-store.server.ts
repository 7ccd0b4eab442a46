import { createPublicKey } from "node:crypto";
import { generateRsaKey } from "~/ca/keys.server";
import { softwareSigner } from "~/ca/signer.server";
import {
  adoptWaitingKey,
  fingerprintNoted,
  keyFile,
  keyFingerprint,
  openKeyText,
  readKeyFile,
  removeWaitingKeys,
  writeWaitingKey,
} from "./key-files.server";
import { type KeyStore } from "./key-store";

/** Stores keys as encrypted files in DATA_DIR/ca. */
export const fileKeyStore: KeyStore = {
  place: keyFile,

  async whyTaken(name) {
    if ((await readKeyFile(name)) === null) return null;
    return `${keyFile(name)} exists, but the database knows no CA '${name}'. Restore the database, or move the file away.`;
  },

  async make(name, bits) {
    const { privateKey, publicKey } = await generateRsaKey(bits);
    await writeWaitingKey(name, privateKey);
    return { publicKey, signer: (hash) => softwareSigner(privateKey, hash) };
  },

  async settle(name, publicKey) {
    const fingerprint = keyFingerprint(publicKey);
    const pem = await readKeyFile(name);
    if (pem) {
      const found = fingerprintNoted(pem) ?? keyFingerprint(createPublicKey(openKeyText(name, pem)));
      if (found !== fingerprint) {
        throw new Error(
          `${keyFile(name)} is not the key of the CA '${name}' in the database. Put back what belongs together.`,
        );
      }
    } else if (!(await adoptWaitingKey(name, fingerprint))) return false;
    await removeWaitingKeys(name);
    return true;
  },

  async open(name, publicKey, hash) {
    const pem = await readKeyFile(name);
    if (!pem) throw new Error(`The CA key ${keyFile(name)} is missing: put it back from its safe copy.`);
    const key = openKeyText(name, pem);
    if (!createPublicKey(key).equals(publicKey)) {
      throw new Error(`The CA key ${keyFile(name)} does not belong to the stored certificate of '${name}'.`);
    }
    return softwareSigner(key, hash);
  },
};
