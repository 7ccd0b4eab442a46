import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb } from "~db/connection.server";
import { restartKeys } from "./support/keys";
import { initialVariables } from "./support/variables";

// The files of one worker share its process and its modules (vitest.config.ts), so each leaves both as it found them.
restartKeys();

// Code that logs an error on the way has failed, whatever it returned (style.md: console.error fails a test).
beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(({ task }) => {
  (task.meta as { assertions?: number }).assertions = expect.getState().assertionCalls;
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

afterAll(async () => {
  vi.useRealTimers();
  await closeDb();
  clearMemoized();
  for (const name of Object.keys(process.env)) if (!(name in initialVariables)) delete process.env[name];
  Object.assign(process.env, initialVariables);
});
