import { createHash, createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { readCsr } from "~/ca/csr/read.server";
import { haveFactorIn, makePrimeProducts } from "~/ca/csr/small-factors.server";
import { hasClosePrimes, hasRocaFingerprint, hasSmallFactor, isPrimeModulus } from "~/ca/csr/weak-rsa.server";
import { fromPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { nextRsaKey, preparedKey } from "../support/keys";
import { openssl } from "../support/openssl";
import { ecSpki, rsaSpki, useForgedCsrs, withEc } from "./csr-forging";
import { nextPrime, prime, rocaPrime, rsaKeyOf, squareRootUp } from "./weak-keys";

const { codes, codesOf, curve, file, keyFile, makeCsr, makeKey, refusals, forge } = useForgedCsrs();

describe("[PUR-11] the key", () => {
  test("[PUR-11] of 1024 bits is refused with its size, the limits and advice", () => {
    expect(refusals(makeCsr({ bits: 1024 }).der)).toMatchObject([
      {
        code: "key-size",
        message:
          "RSA key size: the key has 1024 bits, but must have 2048 to 8192, in steps of 8. Create a new key and a CSR with it.",
      },
    ]);
  });

  const sized = (bits: number) => codes(forge({ spki: rsaSpki((1n << BigInt(bits - 1)) | 1n, 65537n) }));
  test("[PUR-11] sizes from 2048 to 8192 bits are accepted in steps of 8", () => {
    for (const bits of [2047, 2049, 2052, 4095, 8191, 8193, 8200]) expect(sized(bits)).toEqual(["key-size"]);
    for (const bits of [2048, 2056, 8184, 8192]) expect(sized(bits)).not.toContain("key-size");
    for (const bits of [2047, 2050]) expect(codesOf({ bits })).toEqual(["key-size"]);
    expect(codesOf({ keyFile: preparedKey("8192-five-primes") })).toEqual([]);
    expect(codesOf({ keyFile: preparedKey("8200-five-primes") })).toEqual(["key-size"]);
  });

  test("[PUR-11] real keys with the exponents 3 and 65539", () => {
    const exponent = (value: number) =>
      makeKey("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-pkeyopt", `rsa_keygen_pubexp:${value}`);
    expect(codesOf({ keyFile: exponent(3) })).toEqual(["key-exponent"]);
    expect(codesOf({ keyFile: exponent(65539) })).toEqual([]);
  });

  test("[PUR-11] exponents are odd, at least 65537 and below 2^64", () => {
    const modulus = prime(1024) * prime(1024);
    const withExponent = (exponent: bigint) => codes(forge({ spki: rsaSpki(modulus, exponent) }));
    for (const bad of [
      1n,
      2n,
      3n,
      17n,
      65535n,
      65536n,
      65538n,
      2n ** 64n,
      2n ** 64n + 1n,
      2n ** 256n + 1n,
      modulus + 2n,
    ])
      expect(withExponent(bad)).toEqual(["key-exponent"]);
    for (const sound of [65537n, 65539n, 2n ** 64n - 1n]) expect(withExponent(sound)).toEqual(["signature-invalid"]);
  });

  test("[PUR-11] the longest accepted exponent verifies with the largest accepted key", () => {
    expect(codesOf({ keyFile: preparedKey("8192-five-primes-long-exponent") })).toEqual([]);
  });

  test("[PUR-11] the same modulus with another exponent counts as the same key", () => {
    const modulus = prime(1024) * prime(1024);
    const [one, other] = [65537n, 65539n].map((exponent) => {
      const read = readCsr(forge({ spki: rsaSpki(modulus, exponent) }));
      if (!read.ok) throw new Error(read.message);
      return read.csr;
    });
    expect(one?.keyIdentity).toMatch(/^[\da-f]{64}$/);
    expect(other?.keyIdentity).toBe(one?.keyIdentity);
    expect(other?.spkiSha256).not.toBe(one?.spkiSha256);
  });

  test("[PUR-11] is refused with a small prime factor", () => {
    // 7 · 2045 bits and 104729 · 2031 bits: with the two top bits of the large prime set, both products have 2048.
    for (const [factor, bits] of [
      [7n, 2045],
      [104_729n, 2031],
    ] as const) {
      expect(codesOf({ keyFile: file("key", rsaKeyOf(factor, prime(bits))) })).toEqual(["key-small-factor"]);
    }
  });

  test("[PUR-11] is refused with a prime as modulus, of a length that OpenSSL checks and of longer ones", () => {
    for (const name of ["2048-prime-modulus", "2056-prime-modulus"])
      expect(codesOf({ keyFile: preparedKey(name) })).toEqual(["key-prime-modulus"]);
    expect(isPrimeModulus(prime(1536) * prime(1536))).toBe(false);
  });

  test("[PUR-11] is refused with neighbouring or equal primes", () => {
    const p = prime(1024);
    expect(codesOf({ keyFile: file("key", rsaKeyOf(p, nextPrime(p))) })).toEqual(["key-close-primes"]);
    expect(hasClosePrimes(p * p)).toBe(true);
  });

  test("[PUR-11] is refused when Fermat's method finds the primes within 100 rounds", () => {
    const a = prime(1024) + 1n;
    const roundsOf = (distance: bigint) => a - squareRootUp(a * a - distance * distance) + 1n;
    const at = (rounds: bigint) => {
      let distance = squareRootUp(2n * (rounds - 1n) * a);
      while (roundsOf(distance) < rounds) distance += 1n;
      return (a - distance) * (a + distance);
    };
    expect(hasClosePrimes(at(100n))).toBe(true);
    expect(hasClosePrimes(at(101n))).toBe(false);
  });

  test("[PUR-11] keys of the ROCA library are refused: 2048, 3072 and 4096 bits", () => {
    for (const bits of [2048, 3072, 4096])
      expect(codesOf({ keyFile: preparedKey(`${bits}-roca`) })).toEqual(["key-roca"]);
    expect(hasRocaFingerprint(rocaPrime() * prime(1024))).toBe(false);
  });

  test("[PUR-11] fingerprints for the lists of known bad keys are those of openssl's output", () => {
    const fingerprintsOf = (key: string) => {
      const read = readCsr(makeCsr({ keyFile: key }).der);
      if (!read.ok) throw new Error(read.message);
      return listFingerprints(read.csr).map((fingerprint) => fingerprint.toString("hex"));
    };
    const sha = (algorithm: string, bytes: string | Uint8Array) => createHash(algorithm).update(bytes).digest("hex");
    const spki = (key: string) => sha("sha256", fromPem("PUBLIC KEY", openssl(["pkey", "-in", key, "-pubout"])));
    const modulus = openssl(["rsa", "-in", keyFile, "-noout", "-modulus"]);
    expect(modulus).toMatch(/^Modulus=[0-9A-F]{512}\n$/);
    // As in badkeys: the hash of the modulus, or of the x coordinate of the point, without leading zero bytes.
    const badkeys = (hex: string) => sha("sha256", Buffer.from(hex.replace(/^(00)+/i, ""), "hex")).slice(0, 30);
    expect(fingerprintsOf(keyFile)).toEqual([
      spki(keyFile),
      badkeys(modulus.trim().slice("Modulus=".length)),
      sha("sha1", modulus).slice(20),
    ]);
    const ec = curve("P-256");
    const point = Buffer.from(fromPem("PUBLIC KEY", openssl(["pkey", "-in", ec, "-pubout"]))).toString("hex");
    expect(fingerprintsOf(ec)).toEqual([spki(ec), badkeys(point.slice(-128, -64))]);
  });

  test("[PUR-11] EC keys are refused unless enabled, and the message names what is accepted", () => {
    expect(refusals(makeCsr({ keyFile: curve("P-256") }).der)).toMatchObject([
      {
        code: "key-algorithm",
        message:
          "Key algorithm: the key is of type EC, this certificate authority accepts RSA. Create a key of an accepted type and a CSR with it.",
      },
    ]);
  });

  test("[PUR-11] other curves and other algorithms are refused", () => {
    for (const name of ["P-521", "secp256k1", "brainpoolP256r1", "P-224"]) {
      expect(codesOf({ keyFile: curve(name) }, withEc)).toEqual(["key-curve"]);
    }
    for (const algorithm of ["ED25519", "ED448", "RSA-PSS"]) {
      expect(codesOf({ keyFile: makeKey("-algorithm", algorithm) }, withEc)).toEqual(["key-algorithm"]);
    }
  });

  test("[PUR-11] an EC curve with explicit parameters instead of a name is refused", () => {
    const described = file("key");
    openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-param_enc", "explicit", "-out", described]);
    const [refusal] = refusals(makeCsr({ keyFile: described }).der, withEc);
    expect(refusal).toMatchObject({
      code: "key-curve",
      message:
        "Elliptic curve: the key's curve is described by numbers, accepted are P-256 and P-384, stated by name. Create a new key and a CSR with it.",
    });
  });

  describe.each([
    ["P-256", "1.2.840.10045.3.1.7", 32],
    ["P-384", "1.3.132.0.34", 48],
  ])("[PUR-11] points on %s", (name, identifier, size) => {
    const made = Buffer.from(fromPem("PUBLIC KEY", openssl(["pkey", "-in", curve(name), "-pubout"])));
    const point = made.subarray(-1 - 2 * size);
    const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
    const flipped = Buffer.from(point);
    flipped[2 * size] = (flipped[2 * size] ?? 0) ^ 1;
    const ones = Buffer.alloc(size, 0xff);

    test.each<[string, Uint8Array]>([
      ["infinity", Uint8Array.of(0)],
      ["no octet at all", new Uint8Array()],
      ["zeros", Buffer.concat([Buffer.of(4), Buffer.alloc(2 * size)])],
      ["off the curve", flipped],
      ["a coordinate beyond the field", Buffer.concat([Buffer.of(4), ones, y])],
      ["a compressed point that has none", Buffer.concat([Buffer.of(2), ones])],
      ["an unknown form", Buffer.concat([Buffer.of(5), x])],
      ["cut off", point.subarray(0, -1)],
      ["too long", Buffer.concat([point, Buffer.of(0)])],
    ])("[PUR-11] %s is refused", (_, bad) => {
      expect(codes(forge({ spki: ecSpki(identifier, bad) }), withEc)).toEqual(["key-point"]);
      expect(codes(forge({ spki: ecSpki(identifier, bad) }))).toEqual(["key-algorithm"]);
    });

    test("[PUR-11] a point of the other curve is refused; one of its own curve is the same key in every form", () => {
      const other = identifier === "1.3.132.0.34" ? "1.2.840.10045.3.1.7" : "1.3.132.0.34";
      expect(codes(forge({ spki: ecSpki(other, point) }), withEc)).toEqual(["key-point"]);
      const identities = [
        point,
        Buffer.concat([Buffer.of(2 + ((y.at(-1) ?? 0) & 1)), x]),
        Buffer.concat([Buffer.of(6 + ((y.at(-1) ?? 0) & 1)), x, y]),
      ].map((form) => {
        const read = readCsr(forge({ spki: ecSpki(identifier, form) }));
        return read.ok && read.csr.keyIdentity;
      });
      expect(new Set(identities)).toEqual(new Set([sha256Hex(made)]));
    });
  });

  test("[PUR-11] every prime factor below 2^24 is found and no larger one; sound keys have none", () => {
    const [products, other] = [makePrimeProducts(), prime(2024)];
    const [small, large] = [
      [3n, 2_097_143n, 2_097_169n, 8_388_593n, 16_777_213n],
      [16_777_259n, prime(1024), other],
    ];
    const judged = (factors: readonly bigint[]) =>
      haveFactorIn({ moduli: factors.map((factor) => factor * other), products });
    for (const factor of [...small, ...large])
      expect([factor, judged([factor])]).toEqual([factor, [small.includes(factor)]]);
    expect(judged([...large, ...small, ...large])).toEqual([
      ...large.map(() => false),
      ...small.map(() => true),
      ...large.map(() => false),
    ]);
    const many = Array.from({ length: 120 }, (_, index) => (index === 77 ? 3n : other));
    expect(judged(many).indexOf(true)).toBe(77);
  });

  test("[PUR-11] sound keys pass every check of strength", () => {
    for (let round = 0; round < 20; round += 1) {
      const { n = "" } = createPublicKey(nextRsaKey()).export({ format: "jwk" });
      const modulus = BigInt(`0x${Buffer.from(n, "base64url").toString("hex")}`);
      expect(
        [hasSmallFactor, isPrimeModulus, hasClosePrimes, hasRocaFingerprint].map((isWeak) => isWeak(modulus)),
      ).toEqual([false, false, false, false]);
    }
  });
});
