import { memoize } from "./memoize.server";

const last = memoize(() => new Map<string, Promise<unknown>>());

/** Runs `work` when all earlier work with the same key in this process has ended, successfully or not. Returns its result. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turns = last();
  const result = (turns.get(key) ?? Promise.resolve()).then(work, work);
  const ended = result.catch(() => undefined);
  turns.set(key, ended);
  try {
    return await result;
  } finally {
    if (turns.get(key) === ended) turns.delete(key);
  }
}
