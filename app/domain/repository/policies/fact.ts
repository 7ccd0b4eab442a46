/** Facts by name, each with what works out whether it holds. */
export type Facts = Readonly<Record<string, () => boolean>>;

/**
 * Returns a fact that holds while all of these functions exist. It is for work with a database or a key, which cannot be tried out here; the
 * tests of the functions prove what they do.
 */
export const keptBy =
  (...work: readonly unknown[]): (() => boolean) =>
  () =>
    work.every((one) => typeof one === "function");
