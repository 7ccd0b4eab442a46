import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Time } from "~/components/ui/time";
import { textsOf } from "../support/page";

test("[GEN-01] dates are dd/MM/yyyy, with time to the second and the word UTC, and the null date is blank", () => {
  const value = "2026-11-21T09:05:07.000Z";
  expect(renderToStaticMarkup(<Time value={value} />)).toBe(`<time dateTime="${value}">21/11/2026</time>`);
  const withTime = renderToStaticMarkup(<Time value={value} withTime />);
  expect(textsOf(withTime, "time")).toEqual(["21/11/2026 09:05:07 UTC"]);
  expect(renderToStaticMarkup(<Time value="0001-01-01T00:00:00.000Z" />)).toBe("");
  expect(renderToStaticMarkup(<Time value={null} />)).toBe("");
});
