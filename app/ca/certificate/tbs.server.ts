import { malformed, splitDer } from "../der.server";
import { type SignatureHash } from "../signer.server";
import { type CertificateDescription, describeCertificate } from "./describe.server";
import { assembleCertificate, SIGNATURE_ALGORITHM_DER } from "./encode.server";
import { parseCertificate, type ParsedCertificate } from "./parse.server";

/** What a TBS certificate says, before anybody has signed it. */
export interface TbsCertificate {
  parsed: ParsedCertificate;
  description: CertificateDescription;
}

/** Stands for the signature that the TBS certificate does not have yet. */
const NO_SIGNATURE = Uint8Array.of(0);

/**
 * Reads a TBS certificate (RFC 5280 §4.1.2). The thumbprints of the description have no meaning.
 *
 * @param hash The hash of the CA that is to sign. The TBS certificate must name its algorithm.
 * @throws CaError `malformed` when the bytes are not a TBS certificate, or name another signature algorithm.
 */
export function readTbsCertificate(tbs: Uint8Array, hash: SignatureHash): TbsCertificate {
  const [, , algorithm = new Uint8Array()] = splitDer(tbs);
  if (Buffer.compare(algorithm, SIGNATURE_ALGORITHM_DER[hash]) !== 0)
    throw malformed("the signature algorithm is not that of the CA");
  const der = assembleCertificate(tbs, NO_SIGNATURE, hash);
  const parsed = parseCertificate(der);
  return { parsed, description: describeCertificate(der, parsed) };
}
