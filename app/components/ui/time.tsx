import { formatDate, formatDateTime } from "~/lib/dates";

interface Props {
  value: string | null | undefined;
  withTime?: boolean;
}

/** A moment in UTC, dd/MM/yyyy; `withTime` adds HH:mm:ss and says UTC. The null date is blank. */
export function Time({ value, withTime }: Props) {
  const text = withTime ? formatDateTime(value) : formatDate(value);
  if (!value || !text) return null;
  return <time dateTime={value}>{withTime ? `${text} UTC` : text}</time>;
}
