import { describe, expect, test } from "vitest";
import { invoiceStart, orderStart } from "~/domain/search/number-start.policy";
import { LARGEST_ID } from "~/lib/list-params";

const range = (from: number, to = from) => ({ from, to });

describe("[SRC-03] the beginning of an order number", () => {
  test("is the ranges of the numbers that begin so, the highest first", () => {
    expect(orderStart("so-102")).toEqual([
      range(1_020_000_000, 1_029_999_999),
      range(102_000_000, 102_999_999),
      range(10_200_000, 10_299_999),
      range(1_020_000, 1_029_999),
      range(102_000, 102_999),
      range(10_200, 10_299),
      range(1020, 1029),
      range(102),
    ]);
    expect(orderStart("so102")).toEqual(orderStart("so-102"));
    expect(orderStart("so-21474836")[0]).toEqual(range(2_147_483_600, LARGEST_ID));
    expect(orderStart("so-99")[0]).toEqual(range(990_000_000, 999_999_999));
    expect(orderStart("so-9999999999")).toEqual([]);
  });

  test.each(["so-1", "so10", "so-", "so-0102", "so-1x2", "102", "inv-2026", "so-102 x", ""])("is not %j", (word) => {
    expect(orderStart(word)).toEqual([]);
  });
});

describe("[SRC-03] the beginning of an invoice number", () => {
  const all = [range(1, LARGEST_ID)];
  test.each([
    ["inv-2", "invoice", range(2000, 2999), all],
    ["inv-202", "invoice", range(2020, 2029), all],
    ["inv-2026", "invoice", range(2026), all],
    ["cn-2026-", "credit-note", range(2026), all],
    ["inv-2026-00", "invoice", range(2026), [range(0, 999)]],
    ["inv-2026-0001", "invoice", range(2026), [range(10, 19)]],
    ["inv2026", "invoice", range(2026), all],
    ["inv-2026-00012", "invoice", range(2026), [range(12)]],
    [
      "inv-2026-21474",
      "invoice",
      range(2026),
      [
        range(2_147_400_000, LARGEST_ID),
        range(214_740_000, 214_749_999),
        range(21_474_000, 21_474_999),
        range(2_147_400, 2_147_499),
        range(214_740, 214_749),
        range(21_474),
      ],
    ],
  ])("%s is understood", (word, kind, years, numbers) => {
    expect(invoiceStart(word)).toEqual({ kind, years, numbers });
  });

  test.each(["inv-", "cn-2", "inv-x", "inv-20261", "inv-202-1", "2026-000", "cor-2026", "inv-2026-00001x", ""])(
    "is not %j",
    (word) => {
      expect(invoiceStart(word)).toBeNull();
    },
  );
});
