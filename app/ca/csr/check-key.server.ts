import { createHash } from "node:crypto";
import { type PublicKeyInfo } from "../x509/public-key.server";
import { type CsrRefusal, refuseIf } from "./refusal.server";
import { hasClosePrimes, hasRocaFingerprint, hasSmallFactor } from "./weak-rsa.server";

export interface KeyPolicy {
  keyAlgorithms: readonly ("RSA" | "EC")[];
  /** Entries of openssl-blacklist's lists: the last 20 hex digits, lower case, of SHA-1 over `Modulus=<HEX>\n`. */
  debianWeakKeys?: ReadonlySet<string>;
}

const RSA_BITS = { min: 2048, max: 8192 };
/** FIPS 186-5 appendix A.1.1. */
const MAX_EXPONENT = 2n ** 256n;
const CURVES: readonly string[] = ["P-256", "P-384"];

const ADVICE = "Create a new key and a CSR with it.";

/** The rules for the public key (decisions §4, CSR policy). */
export function checkKey(key: PublicKeyInfo, policy: KeyPolicy): CsrRefusal[] {
  if (key.algorithm === "other" || !policy.keyAlgorithms.includes(key.algorithm)) {
    const name = key.algorithm === "other" ? key.name : key.algorithm;
    const accepted = policy.keyAlgorithms.join(" or ");
    return refuseIf(
      true,
      "key-algorithm",
      `Key algorithm: the key is of type ${name}, this certificate authority accepts ${accepted}. Create a key of an accepted type and a CSR with it.`,
    );
  }
  return key.algorithm === "EC" ? checkCurve(key.curve) : checkRsa(key, policy.debianWeakKeys);
}

const checkCurve = (curve: string): CsrRefusal[] =>
  refuseIf(
    !CURVES.includes(curve),
    "key-curve",
    `Elliptic curve: the key is on the curve ${curve}, accepted are ${CURVES.join(" and ")}. ${ADVICE}`,
  );

function checkRsa(
  key: Extract<PublicKeyInfo, { algorithm: "RSA" }>,
  debianWeakKeys?: ReadonlySet<string>,
): CsrRefusal[] {
  const { bits, modulus, exponent } = key;
  if (bits < RSA_BITS.min || bits > RSA_BITS.max || bits % 8 !== 0) {
    return refuseIf(
      true,
      "key-size",
      `RSA key size: the key has ${bits} bits, but must have ${RSA_BITS.min} to ${RSA_BITS.max}, in steps of 8. ${ADVICE}`,
    );
  }
  return [
    ...refuseIf(
      exponent < 65537n || exponent % 2n === 0n || exponent >= MAX_EXPONENT || exponent >= modulus,
      "key-exponent",
      `RSA public exponent: it must be odd, at least 65537 and below 2^256. ${ADVICE}`,
    ),
    ...refuseIf(
      hasSmallFactor(modulus),
      "key-small-factor",
      `RSA key strength: the modulus has a small prime factor, so the key was damaged or is not an RSA key. ${ADVICE}`,
    ),
    ...refuseIf(
      hasClosePrimes(modulus),
      "key-close-primes",
      `RSA key strength: the two primes of the key are so close together that it can be broken at once. Use another tool to create a new key, and a CSR with it.`,
    ),
    ...refuseIf(
      hasRocaFingerprint(modulus),
      "key-roca",
      `RSA key strength: the key has the ROCA weakness (CVE-2017-15361) of certain smart cards and TPMs. Create a new key outside that device, and a CSR with it.`,
    ),
    ...refuseIf(
      debianWeakKeys?.has(debianFingerprint(modulus)) ?? false,
      "key-debian",
      `RSA key strength: the key is a known weak key of the old Debian OpenSSL (CVE-2008-0166). Create a new key on an up-to-date system, and a CSR with it.`,
    ),
  ];
}

function debianFingerprint(modulus: bigint): string {
  const line = `Modulus=${modulus.toString(16).toUpperCase()}\n`;
  return createHash("sha1").update(line).digest("hex").slice(-20);
}
