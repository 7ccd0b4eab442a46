import { foldForSearch } from "~/lib/fold-text";

/** Returns the text that the list page searches: common name, alternative names, SSID and serial number, folded, without duplicates. */
export function searchTextOf(certificate: {
  commonName: string;
  names: readonly string[];
  ssid?: string | null;
  serialNumber?: string | null;
}): string {
  const { commonName, names, ssid, serialNumber } = certificate;
  const words = [commonName, ...names, ssid, serialNumber].filter(Boolean).map((word) => foldForSearch(String(word)));
  return [...new Set(words)].join(" ");
}
