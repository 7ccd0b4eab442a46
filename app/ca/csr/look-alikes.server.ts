import { domainToUnicode } from "node:url";

/** Scripts that have letters in the shapes of another one's: А, Α and A. */
const SCRIPTS = ["Latin", "Greek", "Cyrillic", "Armenian", "Cherokee", "Coptic", "Lisu"].map(
  (name) => new RegExp(`\\p{Script=${name}}`, "u"),
);

const mixesIn = (word: string): boolean =>
  /[^!-~]/.test(word) && SCRIPTS.filter((script) => script.test(word)).length > 1;

/**
 * Whether a word of the text is written in two scripts that can be mistaken for each other (after UTS #39 §5.2). Names of several words may
 * use several: `Завод Acme`. A host name is one word, so that a label in letters of another script than its domain's is seen.
 */
export const mixesScripts = (text: string): boolean => text.split(/[^\p{L}\p{M}\p{N}.]+/u).some(mixesIn);

/** Whether a DNS name is shown as it is written; decoding takes long for a thousand of them. */
const isPlain = (dnsName: string) => !/xn--|[^!-~]/i.test(dnsName);

/** The labels of a DNS name as people see them, or null when an `xn--` label is no Punycode of a name (RFC 5891 §4.2). */
export function shownLabels(dnsName: string): string[] | null {
  if (isPlain(dnsName)) return dnsName.split(".");
  const shown = domainToUnicode(dnsName);
  return shown === "" ? null : shown.split(".");
}

/** Whether a label of a DNS name mixes scripts once its Punycode is decoded. Labels are judged one by one: `пример.example` is common. */
export const mixesScriptsInLabel = (dnsName: string): boolean => (shownLabels(dnsName) ?? []).some(mixesIn);
