import * as asn1js from "asn1js";
import { derOf, parseDer } from "./der.server";
import { OID } from "./oids.server";

const CONTEXT = 3;

const tagged = (tagNumber: number, value: asn1js.BaseBlock[]) =>
  new asn1js.Constructed({ idBlock: { tagClass: CONTEXT, tagNumber }, value });

/**
 * Returns a bundle of certificates without a signature: SignedData of version 1 without content and signers (RFC 5652 §5.1, 'certs-only' of
 * RFC 8551 §3.8). The ContentInfo contains the DER certificates in the given order and is DER in all other respects.
 */
export function certificatesOnly(certificates: readonly Uint8Array[]): Uint8Array {
  const signedData = new asn1js.Sequence({
    value: [
      new asn1js.Integer({ value: 1 }),
      new asn1js.Set({ value: [] }),
      new asn1js.Sequence({ value: [new asn1js.ObjectIdentifier({ value: OID.data })] }),
      tagged(0, certificates.map(parseDer)),
      new asn1js.Set({ value: [] }),
    ],
  });
  return derOf(
    new asn1js.Sequence({
      value: [new asn1js.ObjectIdentifier({ value: OID.signedData }), tagged(0, [signedData])],
    }),
  );
}
