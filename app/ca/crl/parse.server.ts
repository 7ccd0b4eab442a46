import type * as asn1js from "asn1js";
import { CertificateRevocationList, type Extensions } from "pkijs";
import { malformed, parseDer, reading } from "../der.server";
import { type CrlParts, takeApart } from "./parts.server";

/**
 * Returns the CRL without its entries as a pkijs object, and the bytes of the other parts, for which pkijs is too slow. Throws a CaError
 * `malformed`.
 */
export function parseCrl(der: Uint8Array): CrlParts & { list: CertificateRevocationList } {
  return reading(() => {
    const parts = takeApart(der);
    const list = new CertificateRevocationList({ schema: parseDer(parts.head) });
    if (list.version !== 1) throw malformed("not a CRL of version 2");
    if (!list.signature.isEqual(list.signatureAlgorithm)) throw malformed("two signature algorithms");
    return { ...parts, list };
  });
}

/** Returns the value of an extension of a CRL or an entry, or undefined when it is missing. */
export function extensionOf(extensions: Extensions | undefined, oid: string): asn1js.AsnType | undefined {
  const found = extensions?.extensions.find(({ extnID }) => extnID === oid);
  return found && parseDer(found.extnValue.valueBlock.valueHexView);
}
