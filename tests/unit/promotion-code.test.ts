import { expect, test } from "vitest";
import { isNumberToSpreadsheets } from "~/domain/orders/promotion-codes/limits";

test.each([
  ["2345678923", true],
  ["2E34567892", true],
  ["234567892E", false],
  ["E234567892", false],
  ["23E45E6789", false],
  ["23A4567892", false],
])("[PUR-07] a spreadsheet reads the code %s as a number: %s", (code, expected) => {
  expect(isNumberToSpreadsheets(code)).toBe(expected);
});
