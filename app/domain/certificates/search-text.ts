/** Text as searches and orders compare it. Folded here and not by the databases, which differ: SQLite's lower() knows only ASCII. */
export const foldText = (text: string): string => text.normalize("NFC").toLowerCase();

/** What the list's search looks in: common name, alternative names, SSID and serial number, folded, each once. */
export function searchTextOf(certificate: {
  commonName: string;
  names: readonly string[];
  ssid?: string | null;
  serialNumber?: string | null;
}): string {
  const { commonName, names, ssid, serialNumber } = certificate;
  const words = [commonName, ...names, ssid, serialNumber].filter(Boolean).map((word) => foldText(String(word)));
  return [...new Set(words)].join(" ");
}
