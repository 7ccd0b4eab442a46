/** Something was changed since it was shown or read, and nothing was saved. */
export interface ChangedMeanwhile {
  /** In what the stored differs from what was sent, each with what is stored now. */
  differing: readonly string[];
  /** Of what is stored now. */
  version: string;
}

/** A text that is told in a sentence. */
export const quoted = (text: string): string => (text === "" ? "empty" : `'${text}'`);

/** One of `differing`. */
export const storedNow = (part: string, stored: string): string => `${part} (stored now: ${stored})`;

/** In what the two differ. What it was like before that change is not kept: whose a difference is cannot be told. In: what is not stored. */
export const toldDiffering = ({ differing }: ChangedMeanwhile, sent: string): string =>
  `What is stored differs from ${sent}, by that change or your own, in: ${differing.join(", ")}.`;

/** Returns what a saved page says about the fields that somebody else changed meanwhile, without a full stop; "" for none. */
export const toldTaken = (labels: readonly string[]): string =>
  labels.length === 0 ? "" : `Changed meanwhile, and kept as it is stored: ${labels.join(", ")}`;

/**
 * Returns what a page says above a form that was not saved because fields of it were changed meanwhile.
 * @param labels The fields that have what is stored now, because the person did not change them.
 * @param again The label of the button that saves.
 */
export function toldCollisions(labels: readonly string[], again: string): string {
  const others = labels.length === 0 ? "" : ` The form also shows what was changed in: ${labels.join(", ")}.`;
  return `Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press ${again} again.${others}`;
}
