import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { toCsv } from "~/lib/csv.server";
import { escapeFormula, unescapeFormula } from "~/lib/csv/csv-formulas";

const CELLS = [
  "=1+1",
  "@SUM(A1)",
  "a;=1+1",
  "a; =1+1",
  'a;"=1+1"',
  "a\t=1+1",
  "a\t\t+1",
  "a\r\n=1+1",
  "a\n@x",
  "\t=1",
  "a;'=1",
  "'=1",
  "''-1",
  "a;\uFF1D1",
  "a;b-c=d",
];

const PLAIN = ["Example Parts Ltd; London", "a-b", "o'clock", "a; 'b'", "x = y", ""];

describe("a CSV file", () => {
  test.each([",", ";", "\t"])("has no formula for a program that takes %j for the separator", (delimiter) => {
    const options = { delimiter, bom: true, relax_quotes: true, relax_column_count: true };
    for (const cell of CELLS) {
      const rows = parse(toCsv([["first", cell, "last"]]), options);
      for (const value of rows.flat()) expect(value.replace(/^[" ]+/, "")).not.toMatch(/^[=+\-@\uFF1D]/);
    }
  });

  test("has the original text again when the portal reads it", () => {
    for (const cell of [...CELLS, ...PLAIN]) expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
  });

  test("leaves other cells unchanged", () => {
    for (const cell of PLAIN) expect(escapeFormula(cell)).toBe(cell);
  });
});
