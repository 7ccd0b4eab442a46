/** The result when nothing was saved, because the stored data changed since it was shown or read. */
export interface ChangedMeanwhile {
  /** The fields in which the stored data differs from what was sent, each with the stored value. */
  differing: readonly string[];
  /** The version of the stored data. */
  version: string;
}

/** Returns a text in quotes, for use in a sentence. */
export const quoted = (text: string): string => (text === "" ? "empty" : `'${text}'`);

/** Returns an entry for `differing`. */
export const storedNow = (part: string, stored: string): string => `${part} (stored now: ${stored})`;

/**
 * Returns a sentence that names the differences. It cannot say who caused them, because the data before the other change is not stored.
 *
 * @param sent What differs from the stored data, for the sentence.
 */
export const toldDiffering = ({ differing }: ChangedMeanwhile, sent: string): string =>
  `What is stored differs from ${sent}, by that change or your own, in: ${differing.join(", ")}.`;

/**
 * Returns the text after saving that names the fields that somebody else changed in the meantime, without a full stop, or "" when there are
 * none.
 */
export const toldTaken = (labels: readonly string[]): string =>
  labels.length === 0 ? "" : `Changed meanwhile, and kept as it is stored: ${labels.join(", ")}`;

/**
 * Returns the text above a form that was not saved because some of its fields were changed in the meantime.
 *
 * @param labels The labels of the fields that have their stored values, because the person did not change them.
 * @param again The label of the button that saves.
 */
export function toldCollisions(labels: readonly string[], again: string): string {
  const others = labels.length === 0 ? "" : ` The form also shows what was changed in: ${labels.join(", ")}.`;
  return `Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press ${again} again.${others}`;
}
