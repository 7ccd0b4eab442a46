import { readIssuer } from "~/ca/certificate/issuer.server";
import { spkiDerOf } from "~/ca/keys.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { integer, members, sequence } from "../support/der";
import { certId, nonce, ocspRequest } from "../support/ocsp-request";

/** OCSP requests for the same certificates, in DER. */
export interface OcspRequests {
  withoutNonce: Uint8Array[];
  withNonce: Uint8Array[];
}

/** Returns a request for each serial number (hex) of the CA `issuing-sha2`, without and with a nonce. */
export async function ocspRequestsFor(serials: readonly string[]): Promise<OcspRequests> {
  const authority = await findIssuer(getDb(), "sha2");
  if (!authority) throw new Error("There is no CA.");
  const { subjectDer, publicKey } = readIssuer(authority.certificate);
  const [, bits = new Uint8Array()] = members(spkiDerOf(publicKey));
  const key = bits.subarray(bits[1] === 0x82 ? 5 : 4); // after the tag, the length and the number of unused bits
  const ids = serials.map((serial) =>
    sequence(certId({ name: subjectDer, key, serial: integer(BigInt(`0x${serial}`)) })),
  );
  return {
    withoutNonce: ids.map((id) => ocspRequest([id])),
    withNonce: ids.map((id) => ocspRequest([id], nonce(32))),
  };
}

/** Returns the path of the GET request for a DER request (RFC 6960 appendix A.1). */
export const ocspPath = (der: Uint8Array): string => `/ocsp/${encodeURIComponent(Buffer.from(der).toString("base64"))}`;
