import { checkPrimeSync } from "node:crypto";
import { greatestCommonDivisor, primesBelow, product } from "./primes.server";

/** Integer square root, rounded down (Newton). */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Product of the first 10 000 primes (the last is 104 729), made when it is first needed. */
let primorial: bigint | undefined;

/** Whether one of the first 10 000 primes divides the modulus: one reduction of their product, then one gcd. */
export function hasSmallFactor(modulus: bigint): boolean {
  primorial ??= product(primesBelow(104_730).map(BigInt));
  return greatestCommonDivisor(modulus, primorial % modulus) !== 1n;
}

/**
 * Whether a modulus shares a prime with one of those that were multiplied into `products`; then both are broken (Heninger et al., 'Mining
 * Your Ps and Qs', 2012). A modulus that is itself in a product shares its primes with it. One division for each product and one greatest
 * common divisor for all: about a millisecond for 256 moduli of 2048 bits.
 */
export function sharesPrime(modulus: bigint, products: readonly bigint[]): boolean {
  let rest = 1n;
  for (const other of products) rest = (rest * (other % modulus)) % modulus;
  return greatestCommonDivisor(modulus, rest) !== 1n;
}

/** Up to here OpenSSL needs 0.1 s to be sure of a prime; it needs seconds above, where it makes twice the rounds. */
const QUICK_TO_PROVE = 2n ** 2048n;

/** Whether the modulus is no product but a prime itself, which makes its private exponent known to everybody. */
export const isPrimeModulus = (modulus: bigint): boolean =>
  modulus < QUICK_TO_PROVE ? checkPrimeSync(modulus) : passesFermatTest(modulus);

/** Whether 2^(n-1) = 1 modulo n, as for every prime n > 2 (Fermat), and for no product of two random primes but by a chance that never comes. */
function passesFermatTest(modulus: bigint): boolean {
  let power = 1n;
  for (const bit of (modulus - 1n).toString(2)) {
    power = (power * power) % modulus;
    if (bit === "1") power = (power << 1n) % modulus;
  }
  return power === 1n;
}

const FERMAT_ROUNDS = 100;

/** Whether Fermat's factorisation succeeds within 100 rounds: the two primes are too close (CVE-2022-26320). */
export function hasClosePrimes(modulus: bigint): boolean {
  let a = squareRoot(modulus);
  if (a * a < modulus) a += 1n;
  for (let round = 0; round < FERMAT_ROUNDS; round += 1, a += 1n) {
    if (isSquare(a * a - modulus)) return true;
  }
  return false;
}

/** Squares modulo 3·5·7·16: a test of four small numbers that spares nearly every square root. */
function isSquare(value: bigint): boolean {
  const rest = Number(value % 1680n);
  if (![0, 1, 4, 9].includes(rest % 16) || rest % 3 === 2 || [2, 3].includes(rest % 5)) return false;
  if ([3, 5, 6].includes(rest % 7)) return false;
  const root = squareRoot(value);
  return root * root === value;
}

/** Odd primes up to 167, each with the residues that the powers of 65537 take modulo it. */
const ROCA_RESIDUES = primesBelow(168)
  .filter((prime) => prime > 2)
  .map((prime) => {
    const residues = new Set<number>();
    for (let power = 1; !residues.has(power); power = (power * 65537) % prime) residues.add(power);
    return { prime: BigInt(prime), residues };
  });

/**
 * Whether the modulus has the fingerprint of CVE-2017-15361 (ROCA): both primes, and so the modulus, are powers of 65537 modulo
 * every small prime. By chance true for about one key in 2^27.
 */
export function hasRocaFingerprint(modulus: bigint): boolean {
  return ROCA_RESIDUES.every(({ prime, residues }) => residues.has(Number(modulus % prime)));
}
