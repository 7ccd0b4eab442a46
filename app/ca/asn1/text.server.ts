import { CaError } from "../errors.server";
import { type DerElement } from "./read.server";
import { TAG } from "./tags.server";

const decoders: Partial<Record<number, (content: Uint8Array) => string>> = {
  [TAG.utf8String]: (content) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content),
  [TAG.numericString]: latin1,
  [TAG.printableString]: latin1,
  [TAG.teletexString]: latin1,
  [TAG.ia5String]: latin1,
  [TAG.visibleString]: latin1,
  [TAG.bmpString]: (content) => new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true }).decode(content),
  [TAG.universalString]: utf32,
};

/** Latin-1, so that no byte is lost: what is not ASCII is judged later by the rules. */
export function latin1(content: Uint8Array): string {
  return Buffer.from(content).toString("latin1");
}

function utf32(content: Uint8Array): string {
  const view = Buffer.from(content);
  let text = "";
  for (let offset = 0; offset < view.length; offset += 4) text += String.fromCodePoint(view.readUInt32BE(offset));
  return text;
}

/** Text of any DirectoryString, IA5String or NumericString (RFC 5280 §4.1.2.4). Throws on other types and broken encodings. */
export function readText(element: DerElement): string {
  const decode = decoders[element.tag];
  if (!decode) throw new CaError("malformed", `Malformed DER: tag ${element.tag} is not a text.`);
  return decode(element.content);
}
