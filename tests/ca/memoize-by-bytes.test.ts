import { expect, test } from "vitest";
import { memoizeByBytes } from "~/ca/memoize-by-bytes.server";

test("the latest results are cached by bytes, and failures never", () => {
  const asked: string[] = [];
  const read = memoizeByBytes(2, (bytes) => {
    asked.push(Buffer.from(bytes).toString());
    if (bytes.length === 0) throw new RangeError("nothing");
    return { length: bytes.length };
  });
  const of = (text: string) => read(Buffer.from(text));
  expect(of("a")).toBe(of("a"));
  expect(read(Buffer.from("xay").subarray(1, 2))).toBe(of("a"));
  for (const text of ["b", "c", "a"]) of(text); // the third result evicts the first
  expect(asked).toEqual(["a", "b", "c", "a"]);
  expect(() => of("")).toThrow("nothing");
  expect(() => of("")).toThrow("nothing");
  expect(asked.slice(4)).toEqual(["", ""]);
});
