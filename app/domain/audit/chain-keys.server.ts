import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from "node:crypto";
import { thumbprint } from "~/ca/thumbprint.server";
import { getEnv, requireSecret } from "~/lib/env.server";
import { colonHex } from "~/lib/hex";
import { memoize } from "~/lib/memoize.server";

/** The keys that are derived from one of AUDIT_KEYS. Each purpose has its own key (HKDF, RFC 5869). */
export interface ChainKey {
  /** 16 hexadecimal digits that name the key and reveal nothing about it. */
  id: string;
  entries: Buffer;
  head: Buffer;
  /** An Ed25519 key. Whoever has its public half can verify checkpoints, and nothing else. */
  checkpoints: { privateKey: KeyObject; publicKey: KeyObject };
}

/** The PKCS #8 encoding of an Ed25519 key, up to its 32 octets (RFC 8410). */
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

/** Returns the keys of AUDIT_KEYS, newest first. Throws a ConfigError when it is neither set nor generated. */
export const chainKeys = memoize((): readonly ChainKey[] =>
  requireSecret(getEnv().auditKeys, "AUDIT_KEYS").map(deriveKey),
);

/** Returns the key that seals new entries. */
export const newestKey = (): ChainKey => chainKeys()[0] as ChainKey;

export const findKey = (id: string | null): ChainKey | undefined => chainKeys().find((key) => key.id === id);

/** Returns the SHA-256 of the public key for checkpoints, in upper-case hex with colons. */
export const checkpointKeyFingerprint = ({ checkpoints }: ChainKey): string =>
  colonHex(thumbprint(checkpoints.publicKey.export({ type: "spki", format: "der" }), "sha256"));
