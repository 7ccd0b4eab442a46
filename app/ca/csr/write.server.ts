import { assembleCertificate } from "../certificate/encode.server";
import { elementOf, contextTag, sequenceOf } from "../der-writing.server";
import { type Signer } from "../signer.server";
import { encodeName, type SubjectFields } from "../x509/name.server";

/** Version 1, which is 0 (RFC 2986 §4.1). */
const V1 = Uint8Array.of(2, 1, 0);

/**
 * Returns the DER of a certificate signing request without attributes (RFC 2986 §4.2). `signer` signs with the key that is requested, whose
 * SubjectPublicKeyInfo is `spkiDer`.
 */
export async function writeCsr(subject: SubjectFields, spkiDer: Uint8Array, signer: Signer): Promise<Uint8Array> {
  const information = sequenceOf(V1, encodeName(subject), spkiDer, elementOf(contextTag(0)));
  // A request and a certificate are both what was signed, its algorithm and the signature.
  return assembleCertificate(information, await signer.sign(information), signer.hash);
}
