/** The same moment as programs write it. In: as it is answered, in UTC with milliseconds. */
export const waysToSay = (iso: string): string[] => [
  iso,
  `${new Date(Date.parse(iso) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`,
  iso.replace("Z", "+00:00"),
  iso.replace("Z", "000Z"),
  iso.toLowerCase(),
  iso.slice(0, -1),
];

/** No version of anything: as if it had been left out. */
export const NO_VERSIONS = [null, "", " ", "0001-01-01T00:00:00", "01/01/0001"];
