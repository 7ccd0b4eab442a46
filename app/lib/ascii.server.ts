import anyAscii from "any-ascii";

/** Returns a text in ASCII letters: `Łódź-Пример` becomes `Lodz-Primer`. What has no letters of its own becomes an underscore. */
export const toAscii = (text: string): string =>
  anyAscii(text.normalize("NFC")).replace(/[^\x21-\x7e]+|["\\/:*?<>|]+/g, "_");
