/** Returns the spellings in which programs write an instant. `iso` is the format of the answers, in UTC with milliseconds. */
export const waysToSay = (iso: string): string[] => [
  iso,
  `${new Date(Date.parse(iso) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`,
  iso.replace("Z", "+00:00"),
  iso.replace("Z", "000Z"),
  iso.toLowerCase(),
  iso.slice(0, -1),
];

/** Values that mean no version, as if it were omitted. */
export const NO_VERSIONS = [null, "", " ", "0001-01-01T00:00:00", "01/01/0001"];
