import { checkPrimeSync, createPrivateKey, generatePrimeSync, type JsonWebKeyInput, randomBytes } from "node:crypto";

const EXPONENT = 65537n;

const base64url = (value: bigint): string => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex").toString("base64url");
};

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base % modulus; rest > 0n; rest >>= 1n, square = (square * square) % modulus) {
    if (rest & 1n) result = (result * square) % modulus;
  }
  return result;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return ((x % modulus) + modulus) % modulus;
}

/** Returns the RSA key with these primes as PKCS #8 PEM. It works, however weak it is. */
export function rsaKeyOf(p: bigint, q: bigint, e = EXPONENT): string {
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const members = Object.entries(numbers).map(([name, value]) => [name, base64url(value)]);
  const key = { kty: "RSA", ...Object.fromEntries(members) } as JsonWebKeyInput["key"];
  return createPrivateKey({ key, format: "jwk" }).export({ type: "pkcs8", format: "pem" }) as string;
}

/**
 * Returns whether an RSA key can have this prime. The exponent, which is prime, must not divide the prime minus one, because it would have
 * no inverse.
 */
const suitsExponent = (candidate: bigint): boolean => (candidate - 1n) % EXPONENT !== 0n;

/** Returns a random prime for an RSA key. OpenSSL sets its two top bits, so that products have the full length. */
export function prime(bits: number): bigint {
  for (;;) {
    const candidate = generatePrimeSync(bits, { bigint: true });
    if (suitsExponent(candidate)) return candidate;
  }
}

/** Returns the next prime after `after` that is suitable for an RSA key. */
export function nextPrime(after: bigint): bigint {
  let candidate = after + 2n;
  while (!suitsExponent(candidate) || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

/** Returns the square root, rounded up. */
export function squareRootUp(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length >> 1) + 1);
  for (let next = root; (next = (root + value / root) >> 1n) < root;) root = next;
  return root * root < value ? root + 1n : root;
}

const primorial = (count: number): bigint => {
  let product = 1n;
  for (let candidate = 2n, found = 0; found < count; candidate += 1n) {
    if (!checkPrimeSync(candidate)) continue;
    product *= candidate;
    found += 1;
  }
  return product;
};

/**
 * Returns a prime of the kind that the ROCA library generated: k·M + (65537^a mod M). M is the product of the first 126 primes for keys of
 * 1984 to 3936 bits, and of the first 225 primes for longer keys.
 */
export function rocaPrime(bits = 1024, primes = 126): bigint {
  const m = primorial(primes);
  const random = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString("hex")}`);
  for (;;) {
    const k = ((1n << BigInt(bits)) - (random(6) << BigInt(bits - 54))) / m;
    const candidate = k * m + power(EXPONENT, random(32), m);
    if (candidate.toString(2).length === bits && suitsExponent(candidate) && checkPrimeSync(candidate))
      return candidate;
  }
}
