import { addresses } from "../x509/address-extensions.server";
import * as extension from "../x509/extensions.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { encodeTbsCertificate, type TbsParts } from "./encode.server";
import { type Issuer } from "./issuer.server";
import { type CertificatePolicy, type CertificateUrls } from "./profile.server";

export interface CaCertificateParts extends Omit<TbsParts, "issuerDer" | "extensions"> {
  issuer: Pick<Issuer, "subjectDer" | "keyIdentifier">;
  /** How many CAs may follow below this one. Without it there is no limit, as for a root. */
  pathLength?: number;
  policy?: CertificatePolicy;
  /** Addresses of the CRL and the certificate of the CA above. */
  urls?: CertificateUrls;
  /** The subjectKeyIdentifier of another certificate for the same key. By default it is calculated from the key. */
  keyIdentifier?: Uint8Array;
}

/** Returns the DER of the TBS certificate of a CA (RFC 5280 §4.1.2), with keyCertSign and cRLSign. */
export function encodeCaTbs(parts: CaCertificateParts): Uint8Array {
  const { issuer, pathLength, policy, urls = {}, keyIdentifier = keyIdentifierOf(parts.spkiDer), ...tbs } = parts;
  return encodeTbsCertificate({
    ...tbs,
    issuerDer: issuer.subjectDer,
    extensions: [
      extension.basicConstraints(true, pathLength),
      extension.keyUsage(["keyCertSign", "cRLSign"]),
      ...(policy ? [extension.certificatePolicies(policy.oid, policy.cpsUri)] : []),
      ...addresses(urls),
      extension.subjectKeyIdentifier(keyIdentifier),
      extension.authorityKeyIdentifier(issuer.keyIdentifier),
    ],
  });
}
