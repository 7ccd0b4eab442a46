import { type PublicKeyInfo } from "../x509/public-key.server";
import { refuseIf } from "./refusal.server";
import { type RequestRefusal } from "./rules/catalogue";
import { CURVES, RSA_BITS } from "./rules/keys";
import { hasClosePrimes, hasRocaFingerprint, hasSmallFactor, isPrimeModulus } from "./weak-rsa.server";

export interface KeyPolicy {
  keyAlgorithms: readonly ("RSA" | "EC")[];
}

/**
 * OpenSSL and Java do not verify signatures with a longer exponent when the modulus has more than 3072 bits. The limit also bounds the
 * work.
 */
const MAX_EXPONENT = 2n ** 64n;

/**
 * Checks the type, the size and the form of a public key, without looking for weaknesses, which takes milliseconds. Returns a refusal for each
 * broken rule.
 */
export function checkKeyForm(key: PublicKeyInfo, policy: KeyPolicy): RequestRefusal[] {
  if (key.algorithm === "other" || !policy.keyAlgorithms.includes(key.algorithm)) {
    const name = key.algorithm === "other" ? key.name : key.algorithm;
    const accepted = policy.keyAlgorithms.join(" or ");
    return refuseIf(
      true,
      "key-algorithm",
      `Key algorithm: the key is of type ${name}, this certificate authority accepts ${accepted}.`,
    );
  }
  return key.algorithm === "EC" ? checkEc(key) : checkRsaForm(key);
}

/** Checks the rules for the public key (PUR-11). Returns a refusal for each broken rule. */
export function checkKey(key: PublicKeyInfo, policy: KeyPolicy): RequestRefusal[] {
  const problems = checkKeyForm(key, policy);
  const hasSize = problems.every(({ code }) => code === "key-exponent");
  return key.algorithm === "RSA" && hasSize ? [...problems, ...checkRsaStrength(key)] : problems;
}

/**
 * Checks that an EC key has a named curve and a point on it that is not infinity (SP 800-56A §5.6.2.3.3). These curves have no other
 * subgroup.
 */
function checkEc({ curve, hasValidPoint }: Extract<PublicKeyInfo, { algorithm: "EC" }>): RequestRefusal[] {
  const accepted = CURVES.includes(curve);
  return [
    ...refuseIf(
      !accepted,
      "key-curve",
      `Elliptic curve: the key's curve is ${curve}, accepted are ${CURVES.join(" and ")}, stated by name.`,
    ),
    ...refuseIf(
      accepted && !hasValidPoint,
      "key-point",
      `Elliptic curve point: the public key is no point of the curve ${curve}, so the CSR is damaged or was not made with a real key.`,
    ),
  ];
}

function checkRsaForm({ bits, exponent }: Extract<PublicKeyInfo, { algorithm: "RSA" }>): RequestRefusal[] {
  if (bits < RSA_BITS.min || bits > RSA_BITS.max || bits % 8 !== 0) {
    return refuseIf(
      true,
      "key-size",
      `RSA key size: the key has ${bits} bits, but must have ${RSA_BITS.min} to ${RSA_BITS.max}, in steps of 8.`,
    );
  }
  return refuseIf(
    exponent < 65537n || exponent % 2n === 0n || exponent >= MAX_EXPONENT,
    "key-exponent",
    `RSA public exponent: it must be odd, at least 65537 and below 2^64.`,
  );
}

function checkRsaStrength({ modulus }: Extract<PublicKeyInfo, { algorithm: "RSA" }>): RequestRefusal[] {
  return [
    ...refuseIf(
      hasSmallFactor(modulus),
      "key-small-factor",
      `RSA key strength: the modulus has a small prime factor, so the key was damaged or is not an RSA key.`,
    ),
    ...refuseIf(
      isPrimeModulus(modulus),
      "key-prime-modulus",
      `RSA key strength: the modulus is itself a prime and no product of two, so everybody can calculate the private key.`,
    ),
    ...refuseIf(
      hasClosePrimes(modulus),
      "key-close-primes",
      `RSA key strength: the two primes of the key are so close together that it can be broken at once.`,
    ),
    ...refuseIf(
      hasRocaFingerprint(modulus),
      "key-roca",
      `RSA key strength: the key has the ROCA weakness (CVE-2017-15361) of certain smart cards and TPMs.`,
    ),
  ];
}
