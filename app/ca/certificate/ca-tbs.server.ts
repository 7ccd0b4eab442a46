import { addresses } from "../x509/address-extensions.server";
import * as extension from "../x509/extensions.server";
import { type NameConstraints, nameConstraints } from "../x509/name-constraints.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { type ExtendedKeyUsageName } from "../x509/usage-names.server";
import { encodeTbsCertificate, type TbsParts } from "./encode.server";
import { type Issuer } from "./issuer.server";
import { type CertificatePolicy, type CertificateUrls } from "./profile.server";

export interface CaCertificateParts extends Omit<TbsParts, "issuerDer" | "extensions"> {
  issuer: Pick<Issuer, "subjectDer" | "keyIdentifier">;
  /** How many CAs may follow below this one. Without it there is no limit, as for a root. */
  pathLength?: number;
  /** The names that the CA may certify. Without it there is no limit. */
  nameConstraints?: NameConstraints;
  /** The purposes that the CA may certify. Without it there is no limit. */
  extendedKeyUsage?: readonly ExtendedKeyUsageName[];
  policy?: CertificatePolicy;
  /** Addresses of the CRL and the certificate of the CA above. */
  urls?: CertificateUrls;
  /** The subjectKeyIdentifier of another certificate for the same key. By default it is calculated from the key. */
  keyIdentifier?: Uint8Array;
}

/** Returns the DER of the TBS certificate of a CA (RFC 5280 §4.1.2), with keyCertSign and cRLSign. */
export function encodeCaTbs(parts: CaCertificateParts): Uint8Array {
  const { issuer, pathLength, policy, urls = {}, keyIdentifier = keyIdentifierOf(parts.spkiDer), ...others } = parts;
  const { nameConstraints: names, extendedKeyUsage: purposes, ...tbs } = others;
  return encodeTbsCertificate({
    ...tbs,
    issuerDer: issuer.subjectDer,
    extensions: [
      extension.basicConstraints(true, pathLength),
      extension.keyUsage(["keyCertSign", "cRLSign"]),
      ...(purposes ? [extension.extKeyUsage(purposes)] : []),
      ...(names ? [nameConstraints(names)] : []),
      ...(policy ? [extension.certificatePolicies(policy.oid, policy.cpsUri)] : []),
      ...addresses(urls),
      extension.subjectKeyIdentifier(keyIdentifier),
      extension.authorityKeyIdentifier(issuer.keyIdentifier),
    ],
  });
}
