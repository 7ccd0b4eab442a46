import { type AuditHead, type AuditRow, searchableMessage } from "~db/repositories/audit-chain.server";
import { chainKeys, findKey } from "./chain-keys.server";
import { type FoundCheckpoint } from "./checkpoints-found.server";
import { type TrailPlace, type TrailProblem } from "./problems";
import { isEntryGenuine, isErasedEntryGenuine } from "./seals.server";

export const placeOf = ({ sequence, id, at }: Pick<AuditRow, "sequence" | "id" | "at">): TrailPlace => ({
  sequence,
  entryId: id,
  at,
});

export const unknownKey = (keyId: string | null) =>
  `it is sealed with the key '${keyId ?? ""}', which is not among AUDIT_KEYS, and cannot be verified.`;

/** Returns why an entry does not agree with its seal, or null when it does. */
export function entryFault(row: AuditRow): string | null {
  const key = findKey(row.keyId);
  if (!key) return unknownKey(row.keyId);
  if (row.erasedSeal !== null)
    return isErasedEntryGenuine(key, chainKeys(), row)
      ? null
      : "it is not what the erasure of a person left: somebody changed it.";
  if (row.commitment !== null && row.salt === null)
    return "the salt of its personal data is missing, and no erasure has sealed that: somebody removed it.";
  return isEntryGenuine(key, row) ? null : "it is not what was sealed: somebody changed or inserted it.";
}

/** Returns whether the stored search text does not belong to the message. An entry without a search text is found by its message. */
const isHidden = ({ searchText, message }: AuditRow): boolean =>
  searchText !== null && searchText !== searchableMessage(message);

const span = (from: number, to: number) =>
  from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;

/**
 * Walks along the audit trail and compares each entry with its seal, with the previous entry, and with the checkpoints for its sequence
 * number. `report` is called for every problem.
 */
export class Walk {
  private previous: AuditRow | null = null;
  private nextCheckpoint = 0;
  entries = 0;

  constructor(
    /** The sequence number before the first expected one. */
    public at: number,
    private readonly checkpoints: readonly FoundCheckpoint[],
    private readonly report: (problem: TrailProblem) => void,
  ) {}

  get last(): AuditRow | null {
    return this.previous;
  }

  get lastSeal(): { sequence: number; mac: Buffer } | null {
    const { sequence, mac } = this.previous ?? {};
    return sequence && mac ? { sequence, mac } : null;
  }

  /** Begins after an entry that was verified earlier. That entry is only compared with the checkpoints. */
  begin(row: AuditRow): void {
    this.previous = row;
    this.holdAgainstCheckpoints(row);
  }

  step(row: AuditRow): void {
    const sequence = row.sequence as number;
    this.entries += 1;
    const expected = this.at + 1;
    if (sequence > expected)
      this.report({ place: placeOf(row), message: `${span(expected, sequence - 1)} before it: removed.` });
    if (sequence < expected)
      this.report({ place: placeOf(row), message: "there is more than one at this place: inserted." });
    const fault = entryFault(row);
    if (fault) this.report({ place: placeOf(row), message: fault });
    else if (sequence === expected) this.holdAgainstPrevious(row);
    if (!fault && isHidden(row))
      this.report({
        place: placeOf(row),
        message: "its search text does not match its message: somebody changed that.",
      });
    if (!fault) this.holdAgainstCheckpoints(row);
    this.at = Math.max(this.at, sequence);
    this.previous = row;
  }

  private holdAgainstPrevious(row: AuditRow) {
    const before = this.previous?.mac ?? Buffer.alloc(0);
    if (row.previous?.equals(before)) return;
    if (this.previous && entryFault(this.previous)) return; // the previous entry has been reported already
    const place = this.previous ? placeOf(this.previous) : placeOf(row);
    this.report({ place, message: "another entry was at this place when the next one was sealed: replaced." });
  }

  private holdAgainstCheckpoints(row: AuditRow) {
    for (; ; this.nextCheckpoint += 1) {
      const checkpoint = this.checkpoints[this.nextCheckpoint];
      if (!checkpoint || checkpoint.sequence > (row.sequence as number)) return;
      if (checkpoint.sequence === row.sequence && row.mac && !checkpoint.mac.equals(row.mac))
        this.report({
          place: placeOf(row),
          message: `${checkpoint.from} has another entry at this place: replaced after ${checkpoint.at}.`,
        });
    }
  }

  /** Reports entries that should follow the last one but are missing. */
  end(head: AuditHead): void {
    const claims = [{ sequence: head.sequence, from: "the head of the trail", at: null }, ...this.checkpoints].filter(
      ({ sequence }) => sequence > this.at,
    );
    const furthest = claims.reduce<(typeof claims)[number] | null>(
      (found, claim) => (found && found.sequence >= claim.sequence ? found : claim),
      null,
    );
    if (!furthest) return;
    const place = { sequence: this.at, entryId: this.previous?.id ?? null, at: this.previous?.at ?? null };
    const vouched = furthest.at === null ? furthest.from : `${furthest.from}, made ${furthest.at}`;
    this.report({
      place,
      message: `it is the last one, but ${span(this.at + 1, furthest.sequence)} behind it: cut off (${vouched}).`,
    });
  }
}
