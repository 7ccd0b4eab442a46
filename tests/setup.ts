import { afterAll, afterEach, expect, vi } from "vitest";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb } from "~db/connection.server";
import { restartKeys } from "./support/keys";
import { initialVariables } from "./support/variables";

// The test files of one worker share its process and its modules (vitest.config.ts), so each file restores both.
restartKeys();

// A test fails when the code logs an error, whatever the code returned. Not a spy: Vitest would go through all spies of the worker after
// each test.
const logged: unknown[][] = [];
const { error: write } = console;
console.error = (...args: unknown[]) => {
  logged.push(args);
  write(...args);
};

afterEach(({ task }) => {
  (task.meta as { assertions?: number }).assertions = expect.getState().assertionCalls;
  vi.restoreAllMocks();
  expect(logged.splice(0)).toEqual([]);
});

afterAll(async () => {
  console.error = write;
  vi.useRealTimers();
  await closeDb();
  clearMemoized();
  for (const name of Object.keys(process.env)) if (!(name in initialVariables)) delete process.env[name];
  Object.assign(process.env, initialVariables);
  expect(logged.splice(0)).toEqual([]); // errors that the hooks logged after the last test
});
