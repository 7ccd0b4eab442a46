import { type ExtendedKeyUsageName, KEY_USAGE_BITS, type KeyUsageName } from "../x509/usage-names.server";

/** What the applicant ticked. */
export interface UsageFlags {
  hasSecureSession: boolean;
  hasEmail: boolean;
  hasEncryption: boolean;
  hasFileSigning: boolean;
}

export interface KeyUsages {
  keyUsage: KeyUsageName[];
  extendedKeyUsage: ExtendedKeyUsageName[];
}

/** The table of CAL-02. */
const USAGES: Record<keyof UsageFlags, KeyUsages> = {
  hasSecureSession: {
    keyUsage: ["digitalSignature", "keyEncipherment"],
    extendedKeyUsage: ["serverAuth", "clientAuth"],
  },
  hasEmail: { keyUsage: ["digitalSignature", "keyEncipherment"], extendedKeyUsage: ["emailProtection"] },
  hasEncryption: { keyUsage: ["keyEncipherment"], extendedKeyUsage: [] },
  hasFileSigning: { keyUsage: ["digitalSignature", "nonRepudiation"], extendedKeyUsage: [] },
};

const FLAGS = ["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"] as const;

/**
 * Union of the usages of the chosen flags, each once, in bit order; empty when none is chosen. An EC key cannot encipher a key, so
 * keyAgreement stands in (RFC 8813 §3).
 */
export function keyUsageFor(flags: UsageFlags, keyAlgorithm: "RSA" | "EC" = "RSA"): KeyUsages {
  const chosen = FLAGS.filter((flag) => flags[flag]).map((flag) => USAGES[flag]);
  const keyUsage = chosen
    .flatMap((usages) => usages.keyUsage)
    .map((name) => (name === "keyEncipherment" && keyAlgorithm === "EC" ? "keyAgreement" : name));
  return {
    keyUsage: [...new Set(keyUsage)].sort((a, b) => KEY_USAGE_BITS[a] - KEY_USAGE_BITS[b]),
    extendedKeyUsage: [...new Set(chosen.flatMap((usages) => usages.extendedKeyUsage))],
  };
}
