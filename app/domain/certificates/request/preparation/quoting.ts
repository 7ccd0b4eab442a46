/** Quotes a text as one word of a POSIX shell. No character has a special meaning inside single quotes. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Escapes a value of OpenSSL's option -subj with backslashes, because `/` ends an attribute and `+` joins two there. */
export const subjectValue = (text: string): string => text.replace(/[\\/+]/g, "\\$&");

/** Quotes a value of OpenSSL's configuration file. Between double quotes, only the backslash and the quote have a meaning (config(5)). */
export const configValue = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;

const inHex = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");

/**
 * Escapes a value of keytool's option -dname (RFC 2253 §2.4). Everything but letters, digits and a few safe characters becomes UTF-8 in
 * hex, so that the option means the same between double quotes in every shell and character set, on Windows too. In a text with such
 * characters, blanks are escaped as well, because Java drops a blank next to a character in hex.
 */
export const nameValue = (text: string): string =>
  /^[A-Za-z0-9 .:_-]*$/.test(text) ? text : text.replace(/[^A-Za-z0-9.:_-]/gu, inHex);
