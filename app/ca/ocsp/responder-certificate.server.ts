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
  /** The CA for whose certificates the responder answers. */
  issuer: Issuer;
  /** Hash of the issuer's signer. */
  hash: SignatureHash;
  subject: SubjectFields;
  /** The responder's own public key. */
  spkiDer: Uint8Array;
  notBefore: Date;
  /** Wished end; the issuer's end is the limit. */
  notAfter: Date;
  random: RandomSource;
}

/** What to record before signing: RSASSA-PKCS1-v1_5 makes the same certificate of it again after a crash. */
export interface PreparedResponder {
  /** Upper-case hex. */
  serial: string;
  tbs: Uint8Array;
  notBefore: Date;
  notAfter: Date;
}

/**
 * The TBS of the certificate of a delegated OCSP responder (RFC 6960 §4.2.2.2): OCSPSigning, and nocheck, because nobody could say
 * whether it is revoked; its short life takes the place of that. Throws CaError `invalid-argument` when the issuer has ended.
 */
export function prepareResponderCertificate(request: ResponderRequest): PreparedResponder {
  const { issuer, hash, spkiDer } = request;
  const serial = newSerial(request.random);
  const notBefore = wholeSeconds(request.notBefore);
  const notAfter = wholeSeconds(new Date(Math.min(request.notAfter.getTime(), issuer.notAfter.getTime())));
  if (notAfter <= notBefore) throw new CaError("invalid-argument", "The CA has ended, or the life is not positive.");
  const tbs = encodeTbsCertificate({
    serial,
    hash,
    issuerDer: issuer.subjectDer,
    notBefore,
    notAfter,
    subjectDer: encodeName(request.subject),
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
  return { serial, tbs, notBefore, notAfter };
}
