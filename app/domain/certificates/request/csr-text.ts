/** Messages of PUR-03, word for word. */
export const csrMessages = {
  decode: "Failed to decode the imported CSR",
  importFirst: "Please import your CSR and check details below.",
} as const;

/** Normalises the text of a CSR, so that it can be compared with the imported one: line ends and outer blanks do not count. */
export const normaliseCsrText = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

/** Returns a sentence that names what a CSR asks for but its certificate will not contain, or "" when there is nothing to name. */
export const leftOutText = (leftOut: readonly string[]): string =>
  leftOut.length === 0 ? "" : `Your CSR also states what no certificate of this CA carries: ${leftOut.join("; ")}.`;
