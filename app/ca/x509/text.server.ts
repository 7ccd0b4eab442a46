import * as asn1js from "asn1js";
import { malformed } from "../der.server";

/** Every type of DirectoryString (RFC 5280 §4.1.2.4) and the types that are used in its place. */
const TEXTS: readonly unknown[] = [
  asn1js.Utf8String,
  asn1js.NumericString,
  asn1js.PrintableString,
  asn1js.TeletexString,
  asn1js.IA5String,
  asn1js.VisibleString,
  asn1js.BmpString,
  asn1js.UniversalString,
];

/**
 * Returns the text of a string. One-byte types are read as Latin-1, so that no byte is lost; the rules check characters outside ASCII
 * later. Throws a CaError `malformed` on other types and on broken encodings, for which asn1js only adds a warning.
 */
export function readText(element: asn1js.AsnType): string {
  if (!(element instanceof asn1js.BaseStringBlock) || !TEXTS.includes(element.constructor)) {
    throw malformed("no text where one is expected");
  }
  const text = element.getValue();
  if (element.warnings.length > 0 || /\p{Cs}/u.test(text)) throw malformed("a text in a broken encoding");
  return text;
}

/** Returns whether a PrintableString can contain the text (X.680 §41.4). */
export const isPrintable = (text: string): boolean => /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);

export const utf8String = (value: string): asn1js.Utf8String => new asn1js.Utf8String({ value });

/** Encodes a PrintableString. Throws a RangeError on other characters, which asn1js would write anyway. */
export function printableString(value: string): asn1js.PrintableString {
  if (!isPrintable(value)) throw new RangeError("character outside PrintableString");
  return new asn1js.PrintableString({ value });
}

export const ia5String = (value: string): asn1js.IA5String => new asn1js.IA5String({ value: ascii(value) });

/** Returns the text. Throws a RangeError when it has characters outside printable ASCII. */
export function ascii(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError("character outside printable ASCII");
  return text;
}
