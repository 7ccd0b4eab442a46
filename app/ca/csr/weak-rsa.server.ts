import { checkPrimeSync } from "node:crypto";
import { bigIntOf } from "~/lib/big-integer";
import { greatestCommonDivisor, primesBelow, product } from "./primes.server";

/** Returns the integer square root, rounded down (Newton's method). */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Product of the first 10 000 primes (the last is 104 729), computed on first use. */
let primorial: bigint | undefined;

/**
 * Returns whether one of the first 10 000 primes divides the modulus. It takes one reduction of their product and one greatest common
 * divisor.
 */
export function hasSmallFactor(modulus: bigint): boolean {
  primorial ??= product(primesBelow(104_730).map(BigInt));
  return greatestCommonDivisor(modulus, primorial % modulus) !== 1n;
}

/**
 * Returns whether a modulus shares a prime with one of the moduli that were multiplied into `products`. Both keys are broken then (Heninger
 * et al., 'Mining Your Ps and Qs', 2012). A modulus that is itself in a product shares its primes with it. It takes one division for each
 * product and one greatest common divisor for all: about a millisecond for 256 moduli of 2048 bits.
 */
export function sharesPrime(modulus: bigint, products: readonly bigint[]): boolean {
  let rest = 1n;
  for (const other of products) rest = (rest * (other % modulus)) % modulus;
  return greatestCommonDivisor(modulus, rest) !== 1n;
}

/** Keys that are compared with products of moduli. */
export interface SuspectsInput {
  /** Unsigned, big-endian bytes, which are copied to a worker thread faster than numbers. */
  products: readonly Uint8Array[];
  /** `first` is the first product that a key is compared with, `own` the product that contains its modulus, or -1. */
  keys: readonly { modulus: bigint; first: number; own: number }[];
}

/**
 * Returns whether each key shares a prime with one of its products, apart from its own modulus in its own product. Each product is divided
 * once by the product of all these moduli, and only what remains by each of them: 25 keys take a third of the time of 25 comparisons.
 */
export function suspectsAmong({ products, keys }: SuspectsInput): boolean[] {
  const others = products.map((bytes) => bigIntOf(Buffer.from(bytes)));
  const together = product(keys.map(({ modulus }) => modulus));
  const rests = others.map((other) => other % together);
  return keys.map(({ modulus, first, own }) => {
    const compared = rests.map((rest, index) =>
      index === own && rest % modulus === 0n ? (others[index] as bigint) / modulus : rest,
    );
    return sharesPrime(modulus, compared.slice(first));
  });
}

/** Returns whether each of these moduli, null for a key without one, is missing from a product of moduli, and how many different ones there are. */
export function proveProduct(
  stored: bigint,
  moduli: readonly (bigint | null)[],
): { moduli: number; missing: boolean[] } {
  const different = new Set(moduli.filter((modulus) => modulus !== null));
  // Normally a single multiplication proves all of them.
  const isWhole = product([...different]) === stored;
  const missing = moduli.map((modulus) => modulus !== null && !isWhole && stored % modulus !== 0n);
  return { moduli: different.size, missing };
}

/** Below this limit OpenSSL takes 0.1 s to confirm a prime. Above it OpenSSL does twice as many rounds and takes seconds. */
const QUICK_TO_PROVE = 2n ** 2048n;

/** Returns whether the modulus is a prime itself. Everybody could calculate the private exponent then. */
export const isPrimeModulus = (modulus: bigint): boolean =>
  modulus < QUICK_TO_PROVE ? checkPrimeSync(modulus) : passesFermatTest(modulus);

/**
 * Returns whether 2^(n-1) = 1 modulo n. This holds for every prime n > 2 (Fermat). For a product of two random primes it is so unlikely
 * that it never happens in practice.
 */
function passesFermatTest(modulus: bigint): boolean {
  let power = 1n;
  for (const bit of (modulus - 1n).toString(2)) {
    power = (power * power) % modulus;
    if (bit === "1") power = (power << 1n) % modulus;
  }
  return power === 1n;
}

const FERMAT_ROUNDS = 100;

/** Returns whether Fermat's factorisation succeeds within 100 rounds, because the two primes are too close (CVE-2022-26320). */
export function hasClosePrimes(modulus: bigint): boolean {
  let a = squareRoot(modulus);
  if (a * a < modulus) a += 1n;
  for (let round = 0; round < FERMAT_ROUNDS; round += 1, a += 1n) {
    if (isSquare(a * a - modulus)) return true;
  }
  return false;
}

/** Returns whether a number is a square. The residue modulo 3·5·7·16 excludes most numbers, so that the square root is rarely needed. */
function isSquare(value: bigint): boolean {
  const rest = Number(value % 1680n);
  if (![0, 1, 4, 9].includes(rest % 16) || rest % 3 === 2 || [2, 3].includes(rest % 5)) return false;
  if ([3, 5, 6].includes(rest % 7)) return false;
  const root = squareRoot(value);
  return root * root === value;
}

/** The odd primes up to 167, each with the residues of the powers of 65537 modulo it. */
const ROCA_RESIDUES = primesBelow(168)
  .filter((prime) => prime > 2)
  .map((prime) => {
    const residues = new Set<number>();
    for (let power = 1; !residues.has(power); power = (power * 65537) % prime) residues.add(power);
    return { prime: BigInt(prime), residues };
  });

/**
 * Returns whether the modulus has the fingerprint of CVE-2017-15361 (ROCA): both primes, and so the modulus, are powers of 65537 modulo
 * every small prime. About one key in 2^27 has it by chance.
 */
export function hasRocaFingerprint(modulus: bigint): boolean {
  return ROCA_RESIDUES.every(({ prime, residues }) => residues.has(Number(modulus % prime)));
}
