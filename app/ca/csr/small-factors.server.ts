import { setImmediate as othersTurn } from "node:timers/promises";
import { greatestCommonDivisor, primesBelow, product } from "./primes.server";

/** Every prime below this limit is tried. */
export const SMALL_FACTOR_LIMIT = 2 ** 24;
/** Numbers looked at in one step: some 10 ms of work until others get their turn. */
const SEGMENT = 2 ** 18;

/** The odd primes from `start`, which is even, to the end of its segment, two multiplied in each number: below 2^53 that is exact. */
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

/** Products of all odd primes below the limit, 3 MB. They take about a second and are made when they are first needed. */
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
 * Whether an odd modulus has a prime factor below 2^24: one division by each product of primes, then one greatest common divisor. About
 * 0.06 s for 2048 bits and 0.2 s for 8192, in steps between which others get their turn.
 */
export async function hasFactorBelowLimit(modulus: bigint): Promise<boolean> {
  let rest = 1n;
  for (const primes of await (segments ??= makeSegments())) {
    rest = (rest * (primes % modulus)) % modulus;
    await othersTurn();
  }
  return greatestCommonDivisor(modulus, rest) !== 1n;
}
