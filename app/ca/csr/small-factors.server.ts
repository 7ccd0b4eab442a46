import { setImmediate as othersTurn } from "node:timers/promises";
import { greatestCommonDivisor, primesBelow, product } from "./primes.server";

/** Every prime below this limit is tested. */
export const SMALL_FACTOR_LIMIT = 2 ** 24;
/** Numbers sieved in one step. A step takes about 10 ms, after which other work can run. */
const SEGMENT = 2 ** 18;

/**
 * Returns products of two of the odd primes from `start`, which is even, to the end of its segment. Each product is exact because it is
 * below 2^53.
 */
function pairsOfPrimes(start: number, sieving: readonly number[]): bigint[] {
  const composite = new Uint8Array(SEGMENT / 2);
  for (const prime of sieving) {
    let multiple = Math.max(prime * prime, Math.ceil(start / prime) * prime);
    if (multiple % 2 === 0) multiple += prime;
    for (let index = (multiple - start - 1) / 2; index < composite.length; index += prime) composite[index] = 1;
  }
  const pairs: bigint[] = [];
  let waiting = 1;
  for (let index = start === 0 ? 1 : 0; index < composite.length; index += 1) {
    if (composite[index]) continue;
    const prime = start + 1 + 2 * index;
    if (waiting > 1) pairs.push(BigInt(waiting * prime));
    waiting = waiting > 1 ? 1 : prime;
  }
  return waiting > 1 ? [...pairs, BigInt(waiting)] : pairs;
}

/** Products of all odd primes below the limit, 3 MB. Computing them takes about a second and happens on first use. */
let segments: Promise<readonly bigint[]> | undefined;

async function makeSegments(): Promise<readonly bigint[]> {
  const sieving = primesBelow(Math.sqrt(SMALL_FACTOR_LIMIT)).slice(1);
  const made: bigint[] = [];
  for (let start = 0; start < SMALL_FACTOR_LIMIT; start += SEGMENT) {
    made.push(product(pairsOfPrimes(start, sieving)));
    await othersTurn();
  }
  return made;
}

/**
 * Returns whether an odd modulus has a prime factor below 2^24. It takes one division by each product of primes and one greatest common
 * divisor: about 0.06 s for 2048 bits and 0.2 s for 8192 bits, in steps between which other work can run.
 */
export async function hasFactorBelowLimit(modulus: bigint): Promise<boolean> {
  let rest = 1n;
  for (const primes of await (segments ??= makeSegments())) {
    rest = (rest * (primes % modulus)) % modulus;
    await othersTurn();
  }
  return greatestCommonDivisor(modulus, rest) !== 1n;
}
