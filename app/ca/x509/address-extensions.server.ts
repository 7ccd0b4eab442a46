import { AccessDescription, CRLDistributionPoints, DistributionPoint, type Extension, InfoAccess } from "pkijs";
import { OID } from "../oids.server";
import { extension } from "./extensions.server";
import { uriGeneralName } from "./general-names.server";

interface Addresses {
  crl?: string;
  freshestCrl?: string;
  ocsp?: string;
  caIssuers?: string;
}

/**
 * Returns the extensions with the addresses of the CRLs, the issuer's certificate and OCSP. Each is present only if its address is given.
 */
export function addresses({ crl, freshestCrl, ocsp, caIssuers }: Addresses): Extension[] {
  return [
    ...(crl ? [listAt(OID.cRLDistributionPoints, crl)] : []),
    ...(freshestCrl ? [listAt(OID.freshestCRL, freshestCrl)] : []),
    ...(ocsp || caIssuers ? [authorityInfoAccess(ocsp, caIssuers)] : []),
  ];
}

/** cRLDistributionPoints or freshestCRL with one address (RFC 5280 §4.2.1.13 and §4.2.1.15). */
function listAt(oid: string, url: string): Extension {
  const point = new DistributionPoint({ distributionPoint: [uriGeneralName(url)] });
  return extension(oid, new CRLDistributionPoints({ distributionPoints: [point] }).toSchema());
}

/** authorityInfoAccess (RFC 5280 §4.2.2.1). */
function authorityInfoAccess(ocsp?: string, caIssuers?: string): Extension {
  const access = (accessMethod: string, url?: string): AccessDescription[] =>
    url ? [new AccessDescription({ accessMethod, accessLocation: uriGeneralName(url) })] : [];
  const accessDescriptions = [...access(OID.accessMethodOcsp, ocsp), ...access(OID.accessMethodCaIssuers, caIssuers)];
  return extension(OID.authorityInfoAccess, new InfoAccess({ accessDescriptions }).toSchema());
}
