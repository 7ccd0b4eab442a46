import { type ChangedMeanwhile, toldDiffering } from "~/domain/changed-meanwhile";

/** What a program is told when something was changed since it was read. In: what it has to do to replace what is stored. */
export const toldToProgram = (conflict: ChangedMeanwhile, again: string): string =>
  `Nothing was saved: it was changed meanwhile. ${toldDiffering(conflict, "what was sent")} ${again}`;

/** The same where the call takes the version. */
export const toldWithVersion = (conflict: ChangedMeanwhile): string =>
  toldToProgram(conflict, `To replace it, send it again with updatedAt ${conflict.version}.`);
