import { createPublicKey, type KeyObject } from "node:crypto";
import { keyFingerprint, fingerprintNoted } from "~/ca/key-text.server";
import { generateRsaKey } from "~/ca/keys.server";
import { softwareSigner } from "~/ca/signer.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { memoize } from "~/lib/memoize.server";
import { type AuthorityName } from "~db/tables";
import {
  adoptWaitingKey,
  keyFile,
  missingKeyHint,
  openKeyText,
  readKeyFile,
  removeWaitingKeys,
  requireOwnKey,
  writeWaitingKey,
} from "./key-files.server";
import { type KeyStore } from "./key-store";

/**
 * What came of opening the latest contents of a key file, by the name of the authority. Opening takes a quarter of a second of the main
 * thread, so `prove` opens the same contents once.
 */
const outcomes = memoize(() => new Map<AuthorityName, { digest: string; error: Error | null }>());

const digestOf = (pem: string): string => sha256Hex(Buffer.from(pem));

async function requireKeyText(name: AuthorityName): Promise<string> {
  const pem = await readKeyFile(name);
  if (!pem) throw new Error(`The CA key ${keyFile(name)} is missing: ${await missingKeyHint(name)}`);
  return pem;
}

function openNoted(name: AuthorityName, pem: string, publicKey: KeyObject): KeyObject {
  const digest = digestOf(pem);
  try {
    const key = openKeyText(name, pem);
    requireOwnKey(name, key, publicKey);
    outcomes().set(name, { digest, error: null });
    return key;
  } catch (error) {
    outcomes().set(name, { digest, error: error instanceof Error ? error : new Error(String(error)) });
    throw error;
  }
}

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
    return softwareSigner(openNoted(name, await requireKeyText(name), publicKey), hash);
  },

  async prove(name, publicKey) {
    const pem = await requireKeyText(name);
    const known = outcomes().get(name);
    if (known?.digest !== digestOf(pem)) openNoted(name, pem, publicKey);
    else if (known.error) throw known.error;
  },
};
