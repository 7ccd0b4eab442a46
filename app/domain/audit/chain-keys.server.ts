import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from "node:crypto";
import { getEnv, requireSecret } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";

/** What one of AUDIT_KEYS is used as: each purpose has a key of its own (HKDF, RFC 5869). */
export interface ChainKey {
  /** 16 hexadecimal digits that name the key and tell nothing of it. */
  id: string;
  entries: Buffer;
  head: Buffer;
  /** Ed25519: who has the public half can check checkpoints, and nothing else. */
  checkpoints: { privateKey: KeyObject; publicKey: KeyObject };
}

/** PKCS #8 of an Ed25519 key up to its 32 octets (RFC 8410). */
const ED25519_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function deriveKey(secret: string): ChainKey {
  const derived = (purpose: string, length = 32) =>
    Buffer.from(hkdfSync("sha256", secret, "", `marque audit ${purpose}`, length));
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_PREFIX, derived("checkpoints")]),
    format: "der",
    type: "pkcs8",
  });
  return {
    id: derived("key id", 8).toString("hex"),
    entries: derived("entries"),
    head: derived("head"),
    checkpoints: { privateKey, publicKey: createPublicKey(privateKey) },
  };
}

/** The keys of AUDIT_KEYS, newest first. Throws ConfigError when it is neither set nor generated. */
export const chainKeys = memoize((): readonly ChainKey[] =>
  requireSecret(getEnv().auditKeys, "AUDIT_KEYS").map(deriveKey),
);

/** The key that new entries are sealed with. */
export const newestKey = (): ChainKey => chainKeys()[0] as ChainKey;

export const findKey = (id: string | null): ChainKey | undefined => chainKeys().find((key) => key.id === id);
