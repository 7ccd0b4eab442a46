import { InvalidArgumentError } from "commander";

/** Reads a date, or a time in UTC, of an option. Throws an InvalidArgumentError that shows how to write it. */
export function readMoment(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("Enter a date such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z.");
  return time;
}

/** Reads when something is to happen, as `readMoment` does. Throws an InvalidArgumentError when that has passed, such as a wrong year. */
export function readLaterMoment(text: string): Date {
  const time = readMoment(text);
  if (time <= new Date())
    throw new InvalidArgumentError("It has passed. Enter a later time, or leave the option out for now.");
  return time;
}
