import { expect, test } from "vitest";
import { dayError } from "~/lib/date-errors";
import { readDay, readTime, typedDay } from "~/lib/typed-dates";

test.each([
  ["23/11/2026", "2026-11-23", "23/11/2026"],
  ["1/2/2026", "2026-02-01", "01/02/2026"],
  ["2026-11-23", "2026-11-23", "23/11/2026"],
  ["29/02/2028", "2028-02-29", "29/02/2028"],
  ["31/02/2026", null, "31/02/2026"],
  ["11/23/2026", null, "11/23/2026"],
  ["23.11.2026", null, "23.11.2026"],
  ["", null, ""],
])("[GEN-01] the day '%s' is read as %s and shown as '%s' in its field", (text, day, shown) => {
  expect([readDay(text), typedDay(text)]).toEqual([day, shown]);
});

test("[GEN-01] a day that is not in the calendar gets another message than a text of another form", () => {
  expect(dayError("31/02/2026")).toBe("31/02/2026 is not a day of the calendar.");
  expect(dayError("23.11.2026")).toBe("Enter the date as DD/MM/YYYY, for example 23/11/2026.");
});

test.each([
  ["14:05", "14:05"],
  ["9:05", "09:05"],
  ["23:59:59", "23:59:59"],
  ["24:00", null],
  ["2:05 pm", null],
  ["1405", null],
])("[GEN-01] the time '%s' is read as %s", (text, time) => {
  expect(readTime(text)).toBe(time);
});
