/** A value of the process, such as its configuration or its database connection. Calling it returns the value. */
export interface Memoized<T> {
  (): T;
  /** Returns the value if it has been made, without making it. */
  peek: () => T | undefined;
  /** Replaces the value. */
  replace: (value: T) => void;
  /** Drops the value. The next call makes a new one. */
  clear: () => void;
}

const all = new Set<Memoized<unknown>>();

/**
 * Makes a value on first use and keeps it until the process ends.
 *
 * @param make Makes the value. When it throws, the next call tries again.
 * @returns A function that always returns the same value unless it is replaced or cleared.
 */
export function memoize<T>(make: () => T): Memoized<T> {
  let held: { value: T } | undefined;
  const get = () => (held ??= { value: make() }).value;
  const memoized = Object.assign(get, {
    peek: () => held?.value,
    replace: (value: T) => void (held = { value }),
    clear: () => void (held = undefined),
  });
  all.add(memoized as Memoized<unknown>);
  return memoized;
}

/** Drops every memoized value, as a restart of the process does. Used by tests and benchmarks, which run several portals in one process. */
export function clearMemoized(): void {
  for (const memoized of all) memoized.clear();
}
