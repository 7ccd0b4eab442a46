import { afterEach, beforeEach, expect, vi } from "vitest";

// Code that logs an error on the way has failed, whatever it returned (style.md: console.error fails a test).
beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
