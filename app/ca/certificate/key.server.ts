import { derOf } from "../der.server";
import { keyIdentityOf, readPublicKey } from "../x509/public-key.server";
import { parseCertificate } from "./parse.server";

/** The key identity (`Csr.keyIdentity`) of a DER certificate. Throws CaError `malformed`. */
export const certificateKeyIdentity = (der: Uint8Array): string =>
  keyIdentityOf(readPublicKey(derOf(parseCertificate(der).subjectPublicKeyInfo.toSchema())));
