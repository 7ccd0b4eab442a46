import { vi } from "vitest";

/** Runs `work` with the clock of this process stopped, for code that shows or stores the current time. Timers continue. */
export async function atOneMoment<T>(work: (now: Date) => Promise<T>): Promise<T> {
  const now = new Date();
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    return await work(now);
  } finally {
    vi.useRealTimers();
  }
}
