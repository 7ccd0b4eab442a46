/** Returns the primes below a limit (sieve of Eratosthenes). */
export function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let candidate = 2; candidate < limit; candidate += 1) {
    if (composite[candidate]) continue;
    primes.push(candidate);
    for (let multiple = candidate * candidate; multiple < limit; multiple += candidate) composite[multiple] = 1;
  }
  return primes;
}

/** Returns the product of the numbers. It halves the array recursively, because multiplying factors of equal size is fastest. */
export function product(factors: readonly bigint[]): bigint {
  if (factors.length <= 1) return factors[0] ?? 1n;
  const middle = factors.length >> 1;
  return product(factors.slice(0, middle)) * product(factors.slice(middle));
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
