import { type ChangedMeanwhile, toldDiffering } from "~/domain/changed-meanwhile";

/** Returns the message for a program when something was changed since it was read. `again` says how to replace the stored values. */
export const toldToProgram = (conflict: ChangedMeanwhile, again: string): string =>
  `Nothing was saved: it was changed meanwhile. ${toldDiffering(conflict, "what was sent")} ${again}`;

/** Returns the same message for calls that accept the version that was read. */
export const toldWithVersion = (conflict: ChangedMeanwhile): string =>
  toldToProgram(conflict, `To replace it, send it again with updatedAt ${conflict.version}.`);
