import anyAscii from "any-ascii";

/** Returns a text in ASCII letters: `Łódź-Пример` becomes `Lodz-Primer`. Characters that have no ASCII form become underscores. */
export const toAscii = (text: string): string =>
  anyAscii(text.normalize("NFC")).replace(/[^\x21-\x7e]+|["\\/:*?<>|]+/g, "_");
