import { parseCertificate } from "../certificate/parse.server";
import { contextTag, elementOf, objectIdentifier, sequenceOf } from "../der-writing.server";
import { derOf } from "../der.server";
import { OID } from "../oids.server";
import { type Signer } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { type CertId } from "./cert-id.server";

/** OCSPResponseStatus of a response without content (RFC 6960 §4.2.1). */
export const OCSP_ERRORS = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const;
export type OcspError = keyof typeof OCSP_ERRORS;

/** The status of a certificate. `unknown` means that this CA has issued none with that serial number. */
export type OcspStatus =
  | { status: "good" }
  | {
      status: "revoked";
      at: Date;
      /** CRLReason. 0 (unspecified) is omitted, as in CRLs. */
      reason: number;
    }
  | { status: "unknown" };

export interface SingleResponse {
  certId: CertId;
  status: OcspStatus;
}

/** A delegated responder: its certificate and the signer with its key. */
export interface Responder {
  certificateDer: Uint8Array;
  /** SHA-1 of its public key, which is the responderID byKey (RFC 6960 §4.2.1). */
  keyHash: Uint8Array;
  signer: Signer;
}

export interface OcspResponseRequest {
  responder: Responder;
  responses: readonly SingleResponse[];
  /** The nonce extension of the request. */
  nonce: Uint8Array | null;
  thisUpdate: Date;
  nextUpdate: Date;
}

/** Returns the responder with this certificate and key. Throws a CaError `malformed`. */
export function responderOf(certificateDer: Uint8Array, signer: Signer): Responder {
  const { spkiDer } = parseCertificate(certificateDer).key;
  return { certificateDer, keyHash: keyIdentifierOf(spkiDer), signer };
}

// Objects of asn1js would take as long as half of a signature.
const octetString = (content: Uint8Array) => elementOf(0x04, content);
/** Encodes an ENUMERATED of one byte. */
const enumerated = (value: number) => Uint8Array.of(0x0a, 1, value);
const bitString = (content: Uint8Array) => elementOf(0x03, Uint8Array.of(0), content);
/** Encodes a GeneralizedTime to the second (RFC 5280 §4.1.2.5.2). */
const time = (date: Date) => elementOf(0x18, Buffer.from(`${date.toISOString().replace(/[-T:]|\..*$/g, "")}Z`));

const BASIC_TYPE = objectIdentifier(OID.ocspBasic);
const ALGORITHMS = {
  sha256: derOf(rsaSignatureAlgorithm("sha256").toSchema()),
  sha512: derOf(rsaSignatureAlgorithm("sha512").toSchema()),
};

/** Returns the DER of a response without content. */
export const ocspErrorResponse = (error: OcspError): Uint8Array => sequenceOf(enumerated(OCSP_ERRORS[error]));

/** Encodes CertStatus (RFC 6960 §4.2.1). */
function certStatus(status: OcspStatus): Uint8Array {
  if (status.status === "good") return Uint8Array.of(0x80, 0);
  if (status.status === "unknown") return Uint8Array.of(0x82, 0);
  const reason = status.reason === 0 ? [] : [elementOf(contextTag(0), enumerated(status.reason))];
  return elementOf(contextTag(1), time(status.at), ...reason);
}

/** Returns the DER of a signed response: an OCSPResponse with a BasicOCSPResponse and the responder's certificate (RFC 6960 §4.2). */
export async function buildOcspResponse(request: OcspResponseRequest): Promise<Uint8Array> {
  const { responder, responses, nonce, thisUpdate, nextUpdate } = request;
  const [from, until] = [time(thisUpdate), elementOf(contextTag(0), time(nextUpdate))];
  const tbs = sequenceOf(
    elementOf(contextTag(2), octetString(responder.keyHash)),
    from, // producedAt
    sequenceOf(...responses.map(({ certId, status }) => sequenceOf(certId.der, certStatus(status), from, until))),
    ...(nonce ? [elementOf(contextTag(1), sequenceOf(nonce))] : []),
  );
  const signature = await responder.signer.sign(tbs);
  const basic = sequenceOf(
    tbs,
    ALGORITHMS[responder.signer.hash],
    bitString(signature),
    elementOf(contextTag(0), sequenceOf(responder.certificateDer)),
  );
  return sequenceOf(enumerated(0), elementOf(contextTag(0), sequenceOf(BASIC_TYPE, octetString(basic))));
}
