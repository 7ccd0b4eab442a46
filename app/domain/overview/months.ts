/** A calendar month in UTC. */
export interface Month {
  /** `Nov 2026`. */
  label: string;
  /** Its first moment and the next month's. */
  from: Date;
  to: Date;
}

const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const monthStart = (now: Date, offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));

/** So many months in a row; `first` is 0 for the one of `now`, -1 for the one before. */
export const monthsFrom = (now: Date, first: number, count: number): Month[] =>
  Array.from({ length: count }, (_, index) => {
    const from = monthStart(now, first + index);
    const label = `${NAMES[from.getUTCMonth()]} ${from.getUTCFullYear()}`;
    return { label, from, to: monthStart(now, first + index + 1) };
  });
