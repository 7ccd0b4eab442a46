import { describe, expect, test } from "vitest";
import { readTypedWords, SEARCH_ERRORS } from "~/domain/search/typed-words.policy";

const read = (typed: string) => {
  const words = readTypedWords(typed);
  if (words === null || "error" in words) throw new Error(`'${typed}' was refused.`);
  return words;
};

describe("[GEN-04] the words of a search", () => {
  test.each([
    ["with colons", "4A:01:ff:09:7C:22:8b:e1"],
    ["with blanks", "4a 01 ff 09 7c 22 8b e1"],
    ["plain", "4a01ff097c228be1"],
    ["as a program prints it", "serial=4A01FF097C228BE1"],
    ["with 0x", "0x4a01ff097c228be1"],
    ["with a zero byte", "00:4A:01:FF:09:7C:22:8B:E1"],
    ["decimal", "5332823849985805281"],
  ])("a serial number is read %s", (_, typed) => {
    expect(read(typed).serials).toContain("4A01FF097C228BE1");
  });

  test("a serial number keeps the zero of its first byte, and digits are read both ways", () => {
    expect(read("0A01FF097C228BE1").serials).toEqual(["0A01FF097C228BE1"]);
    expect(read("1234567890123456").serials).toEqual(["1234567890123456", "0462D53C8ABAC0"]);
    expect(read("f".repeat(41)).serials).toEqual([]);
    expect(read("abcdef").serials).toEqual([]);
  });

  test("fingerprints are read in every notation", () => {
    const [sha1, sha256] = ["AB".repeat(20), "CD".repeat(32)];
    for (const typed of [sha1, sha1.toLowerCase(), sha1.replace(/..(?=.)/g, "$&:"), `SHA1 Fingerprint=${sha1}`])
      expect(read(typed).sha1).toBe(sha1);
    for (const typed of [sha256, sha256.replace(/..(?=.)/g, "$& "), `sha256 fingerprint=${sha256.toLowerCase()}`])
      expect(read(typed)).toMatchObject({ sha256, sha1: null });
  });

  test.each([
    ["SO-1001", 1001],
    ["so-1001", 1001],
    ["1001", 1001],
    ["SO-0", null],
    ["SO-99999999999", null],
    ["SO-1001 x", null],
  ])("the order number of %s is %s", (typed, orderId) => {
    expect(read(typed).orderId).toBe(orderId);
  });

  test("invoice and credit note numbers are read with and without their prefix", () => {
    expect(read("INV-2026-00014").invoice).toEqual({ kind: "invoice", year: 2026, number: 14 });
    expect(read("cn-2026-00002").invoice).toEqual({ kind: "credit-note", year: 2026, number: 2 });
    expect(read("2026-14").invoice).toEqual({ kind: null, year: 2026, number: 14 });
    expect(read("INV-2026-0").invoice).toBeNull();
  });

  test("short words are left out, unless there are only short ones", () => {
    expect(read("  Bauer   AG ")).toMatchObject({ text: "Bauer AG", words: "Bauer", leftOut: ["AG"] });
    expect(readTypedWords("ab c")).toEqual({ text: "ab c", error: SEARCH_ERRORS.short });
    expect(read("7").orderId).toBe(7);
  });

  test("nothing, too much and control characters are told apart", () => {
    expect(readTypedWords(" \t ")).toBeNull();
    expect(readTypedWords("a".repeat(201))).toEqual({ text: "a".repeat(201), error: SEARCH_ERRORS.long });
    expect(readTypedWords("abc\u0000def")).toEqual({ text: "abcdef", error: SEARCH_ERRORS.control });
  });
});
