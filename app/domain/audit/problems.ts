/** Where something is wrong in the audit trail, as far as it is known. */
export interface TrailPlace {
  sequence: number | null;
  entryId: number | null;
  /** An ISO timestamp. */
  at: string | null;
}

export interface TrailProblem {
  place: TrailPlace;
  /** A sentence for people. */
  message: string;
}

export const nowhere: TrailPlace = { sequence: null, entryId: null, at: null };

/** Returns the problem as text, such as `Entry 17 (id 23, 2026-11-21 10:00:00Z): …`. */
export function problemText({ place: { sequence, entryId, at }, message }: TrailProblem): string {
  const inside = [
    entryId === null ? null : `id ${entryId}`,
    at === null ? null : `${at.slice(0, 19).replace("T", " ")}Z`,
  ]
    .filter((part) => part !== null)
    .join(", ");
  const name = sequence === null ? "Entry outside the chain" : `Entry ${sequence}`;
  if (sequence === null && entryId === null) return message;
  return `${name}${inside && ` (${inside})`}: ${message}`;
}
