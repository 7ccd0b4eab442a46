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

/** In what the two differ. What it was like before that change is not kept: whose a difference is cannot be told. In: what is not stored. */
export const toldDiffering = ({ differing }: ChangedMeanwhile, sent: string): string =>
  `What is stored differs from ${sent}, by that change or your own, in: ${differing.join(", ")}.`;

/** What a page tells, after what was not saved. In: the caption of the button that replaces what is stored, as a verb. */
export const toldOnPage = (changed: string, conflict: ChangedMeanwhile, again: string): string =>
  `${changed} changed meanwhile, perhaps in another window. ${toldDiffering(conflict, "what you see")} ${again} again to replace it.`;
