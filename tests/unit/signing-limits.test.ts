import { describe, expect, test } from "vitest";
import {
  SIGNATURES_A_SECOND,
  SIGNATURES_AFTER_PAUSE,
  SignatureLimit,
  SignatureTurns,
} from "~/domain/ocsp/signing-limits.server";

/** Signatures that end when the test says so. */
function heldSignatures() {
  const turns = new SignatureTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (network: string) =>
    turns.run(network, () => {
      begun.push(network);
      return new Promise<string>((resolve) => ends.push(() => resolve(network)));
    });
  /** Ends the signature that began first, and lets the next one begin. */
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { turns, begun, ask, end };
}

describe("the turns of signatures", () => {
  test("two signatures are made at a time, and networks take turns", async () => {
    const { begun, ask, end } = heldSignatures();
    const all = [...["a", "a", "a", "a", "a"].map(ask), ask("b"), ask("c")];
    expect(begun).toEqual(["a", "a"]);
    for (let count = 0; count < 7; count += 1) await end();
    expect(begun).toEqual(["a", "a", "a", "b", "c", "a", "a"]);
    expect(await Promise.all(all)).toEqual(["a", "a", "a", "a", "a", "b", "c"]);
  });

  test("a network with too much waiting is refused at once, and others are not", async () => {
    const { begun, ask, end } = heldSignatures();
    const flood = Array.from({ length: 252 }, () => ask("flood"));
    expect(await ask("flood")).toBeNull();
    const other = ask("other");
    await end(); // the flood's next one was waiting first
    await end();
    expect(begun).toEqual(["flood", "flood", "flood", "other"]);
    for (let count = 0; count < 252; count += 1) await end();
    expect(await other).toBe("other");
    expect(await Promise.all(flood)).toHaveLength(252);
  });

  test("many networks together do not let more than a thousand wait", async () => {
    const { ask } = heldSignatures();
    for (let count = 0; count < 1002; count += 1) void ask(`network ${count}`);
    expect(await ask("one more")).toBeNull();
  });

  test("a signature that fails gives its turn to the next one", async () => {
    const turns = new SignatureTurns();
    const failing = () => turns.run("a", () => Promise.reject(new Error("no key")));
    const results = await Promise.allSettled([
      failing(),
      failing(),
      failing(),
      turns.run("a", () => Promise.resolve("signed")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
  });
});

describe("the limit of signatures", () => {
  test("a network gets a number at once, then some each second, and does not use up those of another", () => {
    const limit = new SignatureLimit();
    const allowed = (network: string, now: number, tries: number) =>
      Array.from({ length: tries }, () => limit.allows(network, now)).filter(Boolean).length;
    expect(allowed("a", 0, 5000)).toBe(SIGNATURES_AFTER_PAUSE);
    expect(allowed("b", 0, 10)).toBe(10);
    expect(allowed("a", 1000, 5000)).toBe(SIGNATURES_A_SECOND);
    expect(allowed("a", 3_600_000, 5000)).toBe(SIGNATURES_AFTER_PAUSE);
  });
});
