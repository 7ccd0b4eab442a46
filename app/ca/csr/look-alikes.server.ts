import { domainToUnicode } from "node:url";

/** Scripts with letters that look like those of another script, for example А, Α and A. */
const SCRIPTS = ["Latin", "Greek", "Cyrillic", "Armenian", "Cherokee", "Coptic", "Lisu"].map(
  (name) => new RegExp(`\\p{Script=${name}}`, "u"),
);

const mixesIn = (word: string): boolean =>
  /[^!-~]/.test(word) && SCRIPTS.filter((script) => script.test(word)).length > 1;

/**
 * Returns whether a word of the text mixes two scripts that can be mistaken for each other (after UTS #39 §5.2). Different words may use
 * different scripts: `Завод Acme`. A host name counts as one word, so that a label in another script than the domain is found.
 */
export const mixesScripts = (text: string): boolean => text.split(/[^\p{L}\p{M}\p{N}.]+/u).some(mixesIn);

/** Returns whether a DNS name is displayed as it is written. This avoids decoding, which is slow for a thousand names. */
const isPlain = (dnsName: string) => !/xn--|[^!-~]/i.test(dnsName);

/**
 * Returns the labels of a DNS name as they are displayed, or null when an `xn--` label is not valid Punycode of a name (RFC 5891 §4.2).
 * Node 20 decodes such a name to nothing, Node 24 leaves the label as it is.
 */
export function shownLabels(dnsName: string): string[] | null {
  if (isPlain(dnsName)) return dnsName.split(".");
  const shown = domainToUnicode(dnsName);
  return shown === "" || /(^|\.)xn--/i.test(shown) ? null : shown.split(".");
}

/**
 * Returns whether a label of a DNS name mixes scripts after its Punycode is decoded. Each label is checked separately, because names such
 * as `пример.example` are common.
 */
export const mixesScriptsInLabel = (dnsName: string): boolean => (shownLabels(dnsName) ?? []).some(mixesIn);
