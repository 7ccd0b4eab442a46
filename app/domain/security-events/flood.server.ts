/** How many events of one kind by one user, or by nobody who is known, get a row of their own each minute from one network. */
export const ROWS_EACH = 10;
/** How many rows one kind of event gets each minute. Further ones are counted in one row, whoever they come from. */
export const ROWS_A_MINUTE = 500;

const MINUTE = 60_000;

/**
 * Decides which events get a row of their own, so that nobody can fill the table. It counts in the memory of one process; with several
 * processes, the limits apply to each of them.
 */
export class Flood {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  private count(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  /**
   * Returns null when the event gets a row of its own, and otherwise the name of the row in which it is counted.
   *
   * @param source The network, with the user where one is known. Users of one network do not share their rows.
   */
  rowFor(event: string, source: string, now: Date): string | null {
    const minute = Math.floor(now.getTime() / MINUTE);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const all = `${minute} ${event}`;
    if ((this.counts.get(all) ?? 0) >= ROWS_A_MINUTE) return all;
    const one = `${all} ${source}`;
    const count = this.count(one);
    if (count <= ROWS_EACH + 1) this.count(all);
    return count <= ROWS_EACH ? null : one;
  }
}
