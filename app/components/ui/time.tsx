import { formatDate, formatDateTime } from "~/lib/dates";

interface Props {
  value: string | null | undefined;
  withTime?: boolean;
}

/** An instant in UTC as dd/MM/yyyy; `withTime` adds HH:mm:ss and 'UTC'. The null date is blank. */
export function Time({ value, withTime }: Props) {
  const text = withTime ? formatDateTime(value) : formatDate(value);
  if (!value || !text) return null;
  return <time dateTime={value}>{withTime ? `${text} UTC` : text}</time>;
}
