import { encodeTbsCertificate, newSerial } from "../certificate/encode.server";
import { type Issuer } from "../certificate/issuer.server";
import { CaError } from "../errors.server";
import { type RandomSource } from "../keys.server";
import { type SignatureHash } from "../signer.server";
import * as extension from "../x509/extensions.server";
import { encodeName, type SubjectFields } from "../x509/name.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { wholeSeconds } from "../x509/time.server";

export interface ResponderRequest {
  /** The CA whose certificates the responder answers for. */
  issuer: Issuer;
  /** The hash that the issuer's signer uses. */
  hash: SignatureHash;
  subject: SubjectFields;
  /** The responder's own public key. */
  spkiDer: Uint8Array;
  /** The desired beginning. The certificate never begins before its issuer. */
  notBefore: Date;
  /** The desired end. The certificate never ends after its issuer. */
  notAfter: Date;
  random: RandomSource;
}

/** What must be recorded before signing. After a crash, RSASSA-PKCS1-v1_5 gives the same certificate again. */
export interface PreparedResponder {
  /** Upper-case hex. */
  serial: string;
  tbs: Uint8Array;
  notBefore: Date;
  notAfter: Date;
}

/**
 * Returns the TBS certificate of a delegated OCSP responder (RFC 6960 §4.2.2.2). It has OCSPSigning, and nocheck because nobody could
 * answer whether it is revoked; its short lifetime makes up for that. Throws a CaError `invalid-argument` when the issuer has ended.
 */
export function prepareResponderCertificate(request: ResponderRequest): PreparedResponder {
  const { issuer, hash, spkiDer } = request;
  const serial = newSerial(request.random);
  const notBefore = wholeSeconds(new Date(Math.max(request.notBefore.getTime(), issuer.notBefore.getTime())));
  const notAfter = wholeSeconds(new Date(Math.min(request.notAfter.getTime(), issuer.notAfter.getTime())));
  if (notAfter <= notBefore) throw new CaError("invalid-argument", "The CA has ended, or the life is not positive.");
  const subjectDer = encodeName(request.subject);
  const tbs = encodeResponder({ serial, hash, issuer, notBefore, notAfter, subjectDer, spkiDer });
  return { serial, tbs, notBefore, notAfter };
}

/** Returns the TBS certificate of a responder. It is the only encoding that this CA signs. */
export function encodeResponder({
  issuer,
  spkiDer,
  ...parts
}: Pick<ResponderRequest, "issuer" | "hash" | "spkiDer" | "notBefore" | "notAfter"> & {
  /** Upper-case hex. */
  serial: string;
  subjectDer: Uint8Array;
}): Uint8Array {
  return encodeTbsCertificate({
    ...parts,
    issuerDer: issuer.subjectDer,
    spkiDer,
    extensions: [
      extension.basicConstraints(false),
      extension.keyUsage(["digitalSignature"]),
      extension.extKeyUsage(["OCSPSigning"]),
      extension.ocspNoCheck(),
      extension.subjectKeyIdentifier(keyIdentifierOf(spkiDer)),
      extension.authorityKeyIdentifier(issuer.keyIdentifier),
    ],
  });
}
