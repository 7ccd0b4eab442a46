import { shownLabels } from "../csr/look-alikes.server";

/** Returns a DNS name or mailbox with its international letters, or null when it is displayed as it is written. */
export function internationalForm(name: string): string | null {
  const at = name.lastIndexOf("@") + 1;
  const shown = shownLabels(name.slice(at))?.join(".");
  return shown === undefined || shown === name.slice(at) ? null : name.slice(0, at) + shown;
}

/** Returns a name for people: one with international letters as it is written and, in parentheses, as it is displayed. */
export function shownName(value: string): string {
  const international = internationalForm(value);
  return international === null ? value : `${value} (${international})`;
}
