import { createPrivateKey, generatePrime, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import * as asn1js from "asn1js";
import { sequenceOf } from "~/ca/der-writing.server";
import { derOf } from "~/ca/der.server";
import { spkiDerOf } from "~/ca/keys.server";
import { rsaSignatureAlgorithm } from "~/ca/x509/algorithms.server";
import { encodeName } from "~/ca/x509/name.server";

const prime = promisify(generatePrime) as unknown as (size: number, options: { bigint: true }) => Promise<bigint>;
const E = 65537n;

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

const base64url = (value: bigint) => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex").toString("base64url");
};

function keyOf(p: bigint, q: bigint): KeyObject {
  const d = inverse(E, (p - 1n) * (q - 1n));
  const parts = { n: p * q, e: E, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const numbers = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, base64url(value)]));
  return createPrivateKey({ key: { kty: "RSA", ...numbers }, format: "jwk" });
}

/** Generates RSA-2048 keys without a common prime, on all cores. */
export const makeManyKeys = (count: number): Promise<KeyObject[]> =>
  Promise.all(
    Array.from({ length: count }, async () =>
      keyOf(...(await Promise.all([prime(1024, { bigint: true }), prime(1024, { bigint: true })]))),
    ),
  );

/** Returns the DER of a CSR (RFC 2986) with this key. */
export function csrOf(key: KeyObject, commonName: string): Uint8Array {
  const info = sequenceOf(
    derOf(new asn1js.Integer({ value: 0 })),
    encodeName({ country: "DE", organisation: "Acme GmbH", commonName }),
    spkiDerOf(key),
    Uint8Array.of(0xa0, 0),
  );
  const signature = new asn1js.BitString({ valueHex: new Uint8Array(sign("sha256", info, key)) });
  return sequenceOf(info, derOf(rsaSignatureAlgorithm("sha256").toSchema()), derOf(signature));
}
