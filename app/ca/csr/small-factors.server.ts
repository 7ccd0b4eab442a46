import { bigIntOf, bytesOfInteger } from "~/lib/big-integer";
import { greatestCommonDivisor, primesBelow, product } from "./primes.server";

/** Every prime below this limit is tested. */
export const SMALL_FACTOR_LIMIT = 2 ** 24;
/** The numbers whose primes make one product. */
const SEGMENT = 2 ** 21;
const SEGMENTS = SMALL_FACTOR_LIMIT / SEGMENT;
/** The bytes for one product. The primes of a segment of n numbers multiply to about e^n, which is 370 KB. */
const PRODUCT_BYTES = 384 * 1024;

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

/** The products of all odd primes below the limit, as fixed numbers of bytes in memory that threads share: 3 MB. */
export type PrimeProducts = SharedArrayBuffer;

/** Multiplies all odd primes below the limit, which takes about a second. */
export function makePrimeProducts(): PrimeProducts {
  const sieving = primesBelow(Math.sqrt(SMALL_FACTOR_LIMIT)).slice(1);
  const products = new SharedArrayBuffer(SEGMENTS * PRODUCT_BYTES);
  for (let index = 0; index < SEGMENTS; index += 1) {
    const bytes = bytesOfInteger(product(pairsOfPrimes(index * SEGMENT, sieving)));
    new Uint8Array(products).set(bytes, (index + 1) * PRODUCT_BYTES - bytes.length);
  }
  return products;
}

/** The products as numbers. There are no others, so a thread reads them once. */
let numbers: readonly bigint[] | undefined;

const numbersOf = (products: PrimeProducts): readonly bigint[] =>
  Array.from({ length: SEGMENTS }, (_, index) => bigIntOf(Buffer.from(products, index * PRODUCT_BYTES, PRODUCT_BYTES)));

/** The most moduli that are divided together. */
const TOGETHER = 50;

/**
 * Returns a function that shortens a product to a number that is congruent to it modulo `modulus` and about three times as long as that. The
 * upper half of the product is multiplied by the remainder of the power of two where it begins, and added to the lower half, until all is
 * short. Multiplying takes half as long as dividing, and less for a long modulus.
 */
function shortenFor(modulus: bigint): (long: bigint) => bigint {
  const powers: { bits: number; rest: bigint }[] = [];
  let bits = 4 * modulus.toString(16).length;
  let rest = (1n << BigInt(bits)) % modulus;
  for (; bits < 8 * PRODUCT_BYTES; [bits, rest] = [2 * bits, (rest * rest) % modulus]) powers.unshift({ bits, rest });
  return (long) =>
    powers.reduce(
      (number, power) => (number >> BigInt(power.bits)) * power.rest + BigInt.asUintN(power.bits, number),
      long,
    );
}

/** Returns for each of a few odd moduli whether it has a prime factor below 2^24. What divides one of them divides their product, too. */
function haveFactors(moduli: readonly bigint[], all: readonly bigint[]): boolean[] {
  const together = product(moduli);
  const shorten = shortenFor(together);
  let rest = 1n;
  for (const number of all) rest = (rest * shorten(number)) % together;
  return moduli.map((modulus) => greatestCommonDivisor(modulus, rest % modulus) !== 1n);
}

/**
 * Returns for each odd modulus whether it has a prime factor below 2^24. It takes multiplications by remainders of the product of up to 50
 * moduli and a greatest common divisor for each: 17 ms for one of 2048 bits, 8 ms for each of eight and 3 ms for each of many, so it is for
 * worker threads.
 */
export function haveFactorIn({ moduli, products }: { moduli: readonly bigint[]; products: PrimeProducts }): boolean[] {
  const all = (numbers ??= numbersOf(products));
  const found: boolean[] = [];
  for (let start = 0; start < moduli.length; start += TOGETHER)
    found.push(...haveFactors(moduli.slice(start, start + TOGETHER), all));
  return found;
}
