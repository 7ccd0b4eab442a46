import { vi } from "vitest";

/** Does this while the clock of this process stands still, for what shows or stores the present; timers go on. */
export async function atOneMoment<T>(work: (now: Date) => Promise<T>): Promise<T> {
  const now = new Date();
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    return await work(now);
  } finally {
    vi.useRealTimers();
  }
}
