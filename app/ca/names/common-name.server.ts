import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isHostName, isMailbox } from "../x509/host-name.server";
import { dnsFormProblem, type FormProblem } from "./name-form.server";
import { isSpecialDomain, suffixOf } from "./special-names.server";

/** A host that a common name means. */
export interface NamedHost {
  /** An IP address, or a DNS name in ASCII. A name of a wrong form is as it was written. */
  host: string;
  /** The mailbox at the host, or null when the common name has only the host. */
  mailbox: string | null;
  /** The rule that the form of the host breaks, or null. */
  problem: FormProblem | null;
}

/** A scheme such as `https://`, which can be missing, and the text up to the next space or to a character that ends a host. */
const TEXTS = /([a-z][a-z\d+.-]*:\/\/)?([^\s,;|/\\()<>"=]+)/gi;

/** The characters that separate words but can be part of a mailbox. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}.*:[\]-]+/u;

interface Word {
  text: string;
  hasScheme: boolean;
}

/** Returns a text in which characters that look like ASCII ones, such as a wide slash, are these, and no space is before a dot. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .replaceAll(/\s+\.(?=\S)/g, ".");

/** Returns the words of a common name. */
const wordsOf = (commonName: string): Word[] =>
  [...plain(commonName).matchAll(TEXTS)].flatMap(([, scheme, text = ""]) =>
    (text.includes("@") ? [text] : text.split(SEPARATORS).filter(Boolean)).map((part, index) => ({
      text: part,
      hasScheme: scheme !== undefined && index === 0,
    })),
  );

/** Returns what can be the host of a word: without a person before it, a port after it, and dots around it. */
function bareHost(word: string): string {
  const text = word.slice(word.lastIndexOf("@") + 1);
  if (isIP(text) !== 0) return text;
  const host = text.replace(/:\d*$/, "").replaceAll(/^\.+|\.+$/g, "");
  return /^\[.*\]$/.test(host) ? host.slice(1, -1) : host;
}

/** Abbreviations of legal forms and degrees that end like domains. */
const ABBREVIATION = /^(co|pty|pvt|sp|dr|dipl|prof)\.(kg|ltd|inc|llc|llp|gmbh|srl|sarl|ltda|ing)$/;

/**
 * Returns whether a word among other words means a host. Abbreviations such as `S.r.l.`, `S.A.de` and `Co.KG` do not: the name must be below
 * a special-use domain, or below a public suffix with two characters or more before it.
 */
function isClearlyHost(name: string): boolean {
  if (isSpecialDomain(name)) return true;
  const { domain, domainWithoutSuffix, isIcann, isPrivate } = suffixOf(name);
  if (!isIcann && !isPrivate) return false;
  return (domainWithoutSuffix ?? "").length >= 2 && !ABBREVIATION.test(domain ?? "");
}

/** An IPv4 address of which browsers also read parts in octal or hexadecimal. */
const DOTTED = /^(?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){3}$/i;

function readWord({ text: word, hasScheme }: Word, isAlone: boolean): NamedHost | null {
  const bare = bareHost(word);
  const ascii = domainToASCII(bare);
  const address = [bare, hasScheme || DOTTED.test(bare) ? ascii : ""].find((text) => isIP(text) !== 0);
  if (address !== undefined) return { host: address, mailbox: null, problem: null };
  const isLikely = (name: string) => isAlone || hasScheme || isClearlyHost(name);
  if (/\*|xn--/i.test(bare)) {
    const problem = dnsFormProblem(bare);
    if (problem !== null) return bare.includes(".") && isLikely(bare) ? { host: bare, mailbox: null, problem } : null;
  }
  if (ascii !== "localhost" && !(isHostName(ascii) && isLikely(ascii))) return null;
  const isAbsolute = isAlone && word.endsWith(`${bare}.`) && isClearlyHost(ascii) && !isSpecialDomain(ascii);
  if (isAbsolute) return { host: `${ascii}.`, mailbox: null, problem: dnsFormProblem(`${ascii}.`) };
  return { host: ascii, mailbox: isMailbox(word) ? word : null, problem: null };
}

/**
 * Returns the hosts and mailboxes that a common name means, also inside an address such as `https://edi.acme.com:6619/` and among other
 * words. A single word without a dot is the name of a station or a company, not a host, unless it is `localhost`.
 */
export function hostsOfCommonName(commonName: string): NamedHost[] {
  const words = wordsOf(commonName);
  return words.flatMap((word) => readWord(word, words.length === 1) ?? []);
}
