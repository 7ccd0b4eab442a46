/** Messages of PUR-03, word for word. */
export const csrMessages = {
  decode: "Failed to decode the imported CSR",
  importFirst: "Please import your CSR and check details below.",
} as const;

/** The text by which a CSR is compared with the imported one: line ends and outer blanks do not count. */
export const normaliseCsrText = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

/** What a CSR asks for and its certificate will not have, in a sentence; "" when there is nothing. */
export const leftOutText = (leftOut: readonly string[]): string =>
  leftOut.length === 0 ? "" : `Your CSR also states what no certificate of this CA carries: ${leftOut.join("; ")}.`;
