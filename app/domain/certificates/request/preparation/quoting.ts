/** One word of a POSIX shell, whatever characters it holds: inside single quotes nothing has a meaning. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A value of openssl's option -subj: `/` ends an attribute and `+` joins two, a backslash takes the meaning away. */
export const subjectValue = (text: string): string => text.replace(/[\\/+]/g, "\\$&");

/** A value of openssl's configuration file: between double quotes only a backslash and the quote have a meaning (config(5)). */
export const configValue = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;

const inHex = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");

/**
 * A value of keytool's option -dname (RFC 2253 §2.4). All but letters, digits and harmless signs is written as UTF-8 in hex, so that
 * the option means the same between double quotes of every shell, in every character set, on Windows too. Then blanks are written
 * so, too: Java drops a blank beside a character in hex.
 */
export const nameValue = (text: string): string =>
  /^[A-Za-z0-9 .:_-]*$/.test(text) ? text : text.replace(/[^A-Za-z0-9.:_-]/gu, inHex);
