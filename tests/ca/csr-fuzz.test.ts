import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCsr, type CsrPolicy } from "~/ca/csr/check.server";
import { readCsr } from "~/ca/csr/read.server";
import { toPem } from "~/ca/pem.server";
import { element, members, sequence } from "../support/der";
import { sized } from "../support/volume";
import { useForgedCsrs } from "./csr-forging";

const { curve, keyFile, makeCsr } = useForgedCsrs();
const policy: CsrPolicy = {
  keyAlgorithms: ["RSA", "EC"],
  countryCodes: new Set(["DE"]),
  allowedNames: ["documentation", "private-address"],
};
const san = ["DNS:oftp.acme.example", "IP:10.0.0.1", "URI:oftp://O0177ABCD000000"];
const seeds = [
  makeCsr({ keyFile, san }),
  makeCsr({ keyFile, args: ["-sigopt", "rsa_padding_mode:pss"] }),
  makeCsr({ keyFile: curve("P-256"), san }),
].map(({ der }) => Buffer.from(der));

/** The hashes of accepted CSRs that OpenSSL has confirmed. */
const confirmed = new Set<string>();

/** Messages of asn1js and pkijs about malformed bytes. They must not reach users. */
const LIBRARY_WORDS =
  /Zero buffer|End of input|zero length|[Ii]nconsistent|Wrong parameter|UNIVERSAL|Unknown tag|EndOfContent|may consists|Object's schema|Too big|verified against/;

const isForPeople = ({ message }: { message: string }) => /^[A-Z].*\.$/.test(message) && !LIBRARY_WORDS.test(message);

/** Reads and checks the input. Returns true when it is refused with a reason, or when OpenSSL also verifies its signature. */
function isJudged(input: string | Uint8Array): boolean {
  const read = readCsr(input);
  if (!read.ok) return isForPeople(read);
  const refusals = checkCsr(read.csr, policy);
  if (refusals.length > 0) return refusals.every(isForPeople);
  if (confirmed.has(read.csr.sha256)) return true;
  const { status } = spawnSync("openssl", ["req", "-verify", "-noout"], { input: read.csr.pem });
  if (status === 0) confirmed.add(read.csr.sha256);
  return status === 0;
}

/** Reports the seed and the smallest counterexample when it fails. */
const holds = <T>(inputs: fc.Arbitrary<T>, numRuns: number, toInput: (value: T) => string | Uint8Array) =>
  fc.assert(
    fc.property(inputs, (value) => isJudged(toInput(value))),
    { numRuns: sized(Math.ceil(numRuns / 4), numRuns) },
  );

const seed = fc.constantFrom(...seeds);
/** A CSR and a position in its bytes. */
const seedAndPlace = seed.chain((der) => fc.tuple(fc.constant(der), fc.nat(der.length - 1)));
const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

/** Trees of DER elements with any tags and correct lengths. */
const { tree } = fc.letrec<{ tree: Uint8Array }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 12, 19, 23, 24, 28, 30, 0x80, 0x82, 0x86), bytes(12))
      .map(([tag, content]) => element(tag, content)),
    fc
      .tuple(fc.constantFrom(0x30, 0x31, 0xa0, 0xa3, 0x24), fc.array(tie("tree"), { maxLength: 4 }))
      .map(([tag, parts]) => element(tag, ...parts)),
  ),
}));

/** Returns every element of a CSR that has members, with a function that replaces the element. */
function places(
  der: Uint8Array,
  write: (changed: Uint8Array) => Uint8Array = (changed) => changed,
): ((changed: Uint8Array) => Uint8Array)[] {
  if (!((der[0] ?? 0) & 0x20)) return [write];
  const parts = members(der);
  const inner = parts.flatMap((part, index) =>
    places(part, (changed) => write(element(der[0] ?? 0, ...parts.with(index, changed)))),
  );
  return [write, ...inner];
}
const seedPlaces = seeds.flatMap((der) => places(der));

describe("[PUR-11] every import is refused with a reason or gives a CSR that openssl verifies", () => {
  test("[PUR-11] the original CSRs are accepted", () => {
    for (const der of seeds) expect(checkCsr(accepted(der), policy)).toEqual([]);
    expect(seedPlaces.length).toBeGreaterThan(60);
  });

  test("[PUR-11] random bytes, random text, and random base64 between the correct lines", () => {
    holds(bytes(600), 1500, (input) => input);
    holds(fc.string({ maxLength: 600, unit: "binary" }), 1000, (text) => text);
    holds(bytes(300), 1000, (content) => toPem("CERTIFICATE REQUEST", sequence(content)));
  });

  test("[PUR-11] flipped bits and changed bytes", () => {
    holds(fc.tuple(seedAndPlace, fc.nat(7)), 1200, ([[der, at], bit]) => der.with(at, (der[at] ?? 0) ^ (1 << bit)));
    const edits = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { minLength: 1, maxLength: 4 });
    holds(fc.tuple(seed, edits), 1000, ([der, changes]) => {
      const changed = Buffer.from(der);
      for (const [at, byte] of changes) changed[at % der.length] = byte;
      return changed;
    });
  });

  test("[PUR-11] truncated, shifted and spliced CSRs", () => {
    holds(seedAndPlace, 500, ([der, at]) => der.subarray(0, at));
    holds(fc.tuple(seedAndPlace, bytes(40)), 700, ([[der, at], more]) =>
      Buffer.concat([der.subarray(0, at), more, der.subarray(at)]),
    );
    holds(fc.tuple(seedAndPlace, seedAndPlace), 700, ([[one, from], [other, to]]) =>
      Buffer.concat([one.subarray(0, from), other.subarray(to)]),
    );
    holds(fc.tuple(seedAndPlace, fc.nat(80)), 500, ([[der, at], count]) =>
      toPem("CERTIFICATE REQUEST", Buffer.concat([der.subarray(0, at), der.subarray(at + count)])),
    );
  });

  test("[PUR-11] an element replaced by other DER, with all lengths corrected", () => {
    holds(tree, 700, (input) => input);
    holds(fc.tuple(fc.constantFrom(...seedPlaces), tree), 2000, ([write, part]) => write(part));
    holds(fc.tuple(fc.constantFrom(...seedPlaces), bytes(30)), 700, ([write, part]) => write(part));
  });

  test("[PUR-11] text before, between and inside the lines of a CSR", () => {
    const text = fc.string({
      maxLength: 80,
      unit: fc.constantFrom(..."-BEGIN CERTIFICATE REQUEST KEY\n\r =+/Aa0\u0000é"),
    });
    const pems = seeds.map((der) => toPem("CERTIFICATE REQUEST", der));
    holds(
      fc.tuple(fc.constantFrom(...pems), fc.nat(900), text),
      1500,
      ([pem, at, more]) => pem.slice(0, at) + more + pem.slice(at),
    );
  });

  test("[PUR-11] hostile text of the maximum size", () => {
    const hostile = [
      "-----BEGIN ",
      "-----BEGIN A-----",
      "-----BEGIN CERTIFICATE REQUEST-----",
      "----- ",
      "A ",
      "=",
      '"d":"',
      "-----BEGIN A PRIVATE KE",
    ];
    for (const text of hostile) expect(isJudged(text.repeat(Math.floor(65_000 / text.length)))).toBe(true);
    const tags = ["30", "3080", "30820000", "3000", "0500", "a0", "30800000", "1800"];
    for (const tag of tags) expect(isJudged(Buffer.alloc(65_000, Buffer.from(tag, "hex")))).toBe(true);
  });
});

function accepted(der: Uint8Array) {
  const read = readCsr(der);
  if (!read.ok) throw new Error(read.message);
  return read.csr;
}
