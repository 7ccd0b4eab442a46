import { formatDate, formatDateTime } from "~/lib/dates";

interface Props {
  value: string | null | undefined;
  withTime?: boolean;
  /** Leaves out the seconds of an instant that is not recorded that exactly. */
  toMinute?: boolean;
}

/** An instant in UTC as dd/MM/yyyy; `withTime` adds HH:mm:ss and 'UTC'. The null date is blank. */
export function Time({ value, withTime, toMinute }: Props) {
  const exact = withTime ? formatDateTime(value) : formatDate(value);
  const text = toMinute ? exact.replace(/:\d\d$/, "") : exact;
  if (!value || !text) return null;
  return <time dateTime={value}>{withTime ? `${text} UTC` : text}</time>;
}
