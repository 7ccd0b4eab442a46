import { element, contextTag, objectIdentifier, sequence, set } from "../../support/der";
import { type useForgedCsrs } from "../csr-forging";

export type Forging = ReturnType<typeof useForgedCsrs>;

/** What must be refused, by which rule, and what the refusal must name. */
export type BadCsr = [title: string, code: string, names: RegExp, input: string | Uint8Array];

export const hex = (text: string): Uint8Array => Buffer.from(text, "hex");
export const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
export const dns = (text: string): Uint8Array => element(contextTag(2), ascii(text));

/** The member, which is there. */
export const part = (der: Uint8Array | undefined): Uint8Array => der ?? new Uint8Array();

/** An attribute of a request or a subject that nobody knows. */
export const customAttribute = (value: Uint8Array, type: Uint8Array = objectIdentifier("1.2.3.4")): Uint8Array =>
  sequence(type, set(value));

/** Sequences in each other, `depth` of them. */
export function nested(depth: number): Uint8Array {
  let inner = sequence();
  for (let level = 1; level < depth; level += 1) inner = sequence(inner);
  return inner;
}
