import { type ExtendedKeyUsageName, KEY_USAGE_BITS, type KeyUsageName } from "../x509/usage-names.server";

/** The usages that the applicant selected. */
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

/** The table in CAL-02. */
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

/** Returns the usages of every choice of one flag or more among these. */
export const usagesOfChoices = (
  keyAlgorithm: "RSA" | "EC",
  flags: readonly (keyof UsageFlags)[] = FLAGS,
): KeyUsages[] =>
  Array.from({ length: 2 ** flags.length - 1 }, (_, index) => {
    const chosen = flags.filter((_flag, bit) => ((index + 1) >> bit) % 2 === 1);
    const all = Object.fromEntries(FLAGS.map((flag) => [flag, chosen.includes(flag)]));
    return keyUsageFor(all as unknown as UsageFlags, keyAlgorithm);
  });

/**
 * Returns the usages of all selected flags, each once, in bit order. The result is empty when no flag is selected. An EC key cannot
 * encipher keys and gets keyAgreement instead (RFC 8813 §3).
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
