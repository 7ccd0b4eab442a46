/** Something was changed since it was shown or read: nothing is saved before whoever sends it has been told. */
export interface ChangedMeanwhile {
  /** In what the stored differs from what was sent, each with what is stored now. */
  differing: readonly string[];
  /** Of what is stored now; a form that brings it as `replaces` is saved. */
  version: string;
}

/** A text that is told in a sentence. */
export const quoted = (text: string): string => (text === "" ? "empty" : `'${text}'`);

/** One of `differing`. */
export const storedNow = (part: string, stored: string): string => `${part} (stored now: ${stored})`;

/** What a page tells, after what was not saved. In: the caption of the button that replaces what is stored, as a verb. */
export const toldOnPage = (changed: string, { differing }: ChangedMeanwhile, again: string): string =>
  `${changed} changed meanwhile, perhaps in another window. What is stored differs from what you see in: ${differing.join(", ")}. ${again} again to replace it.`;
