import { element, contextTag, objectIdentifier, sequence, set } from "../../support/der";
import { type useForgedCsrs } from "../csr-forging";

export type Forging = ReturnType<typeof useForgedCsrs>;

/** An input that must be refused, the code of the rule that refuses it, and a pattern that the message must match. */
export type BadCsr = [title: string, code: string, names: RegExp, input: string | Uint8Array];

export const hex = (text: string): Uint8Array => Buffer.from(text, "hex");
export const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
export const dns = (text: string): Uint8Array => element(contextTag(2), ascii(text));

/** Returns a member that is known to exist, for the type checker. */
export const part = (der: Uint8Array | undefined): Uint8Array => der ?? new Uint8Array();

/** Returns an attribute of a request or a subject with an unknown type. */
export const customAttribute = (value: Uint8Array, type: Uint8Array = objectIdentifier("1.2.3.4")): Uint8Array =>
  sequence(type, set(value));

/** Returns `depth` nested sequences. */
export function nested(depth: number): Uint8Array {
  let inner = sequence();
  for (let level = 1; level < depth; level += 1) inner = sequence(inner);
  return inner;
}
