import * as asn1js from "asn1js";

const SEQUENCE = 0x30;

/** Returns one element with any contents, valid or not, which no library would write. */
export function element(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const { lenBlock } = new asn1js.BaseBlock({ lenBlock: { length: content.length } });
  return Buffer.concat([Uint8Array.of(tag), new Uint8Array(lenBlock.toBER()), content]);
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => element(SEQUENCE, ...parts);
export const set = (...parts: Uint8Array[]): Uint8Array => element(0x31, ...parts);
export const context = (number: number, ...parts: Uint8Array[]): Uint8Array => element(0xa0 | number, ...parts);
export const contextTag = (number: number): number => 0x80 | number;

const encoded = (block: asn1js.BaseBlock): Uint8Array => new Uint8Array(block.toBER());

export const integer = (value: bigint | number): Uint8Array => encoded(asn1js.Integer.fromBigInt(BigInt(value)));
export const objectIdentifier = (value: string): Uint8Array => encoded(new asn1js.ObjectIdentifier({ value }));
export const nullValue = (): Uint8Array => encoded(new asn1js.Null());
export const utf8String = (value: string): Uint8Array => encoded(new asn1js.Utf8String({ value }));
export const octetString = (valueHex: Uint8Array): Uint8Array => encoded(new asn1js.OctetString({ valueHex }));
export const bitString = (valueHex: Uint8Array): Uint8Array => encoded(new asn1js.BitString({ valueHex }));

/** Returns the encodings of the members of a constructed element. */
export function members(der: Uint8Array): Uint8Array[] {
  const { result } = asn1js.fromBER(der);
  if (!(result instanceof asn1js.Constructed)) throw new Error("not constructed");
  return result.valueBlock.value.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView);
}
