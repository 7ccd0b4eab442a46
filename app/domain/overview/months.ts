/** A calendar month in UTC. */
export interface Month {
  /** For example `Nov 2026`. */
  label: string;
  /** The start of the month. `to` is the start of the next month. */
  from: Date;
  to: Date;
}

const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const monthStart = (now: Date, offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));

/** Returns `count` consecutive months. `first` is 0 for the month of `now` and -1 for the month before. */
export const monthsFrom = (now: Date, first: number, count: number): Month[] =>
  Array.from({ length: count }, (_, index) => {
    const from = monthStart(now, first + index);
    const label = `${NAMES[from.getUTCMonth()]} ${from.getUTCFullYear()}`;
    return { label, from, to: monthStart(now, first + index + 1) };
  });
