import { expect, test } from "vitest";
import { clearMemoized, memoize } from "~/lib/memoize.server";

test("a value is computed once at its first use, and again after it was cleared", () => {
  let made = 0;
  const value = memoize(() => ({ number: (made += 1) }));
  expect(value.peek()).toBeUndefined();
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(value.peek()).toEqual({ number: 1 });
  value.clear();
  expect(value()).toEqual({ number: 2 });
});

test("undefined is cached too; a failure is tried again", () => {
  let calls = 0;
  const nothing = memoize(() => void (calls += 1));
  nothing();
  nothing();
  expect(calls).toBe(1);
  let isBroken = true;
  const fragile = memoize(() => {
    if (isBroken) throw new Error("not yet");
    return "made";
  });
  expect(fragile).toThrow("not yet");
  isBroken = false;
  expect(fragile()).toBe("made");
});

test("a value can be replaced; all values can be cleared at once", () => {
  const one = memoize(() => "one");
  const other = memoize(() => "other");
  one.replace("another");
  expect([one(), other()]).toEqual(["another", "other"]);
  clearMemoized();
  expect([one.peek(), other.peek()]).toEqual([undefined, undefined]);
  expect(one()).toBe("one");
});
