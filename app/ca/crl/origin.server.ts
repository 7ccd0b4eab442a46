import { type Issuer } from "../certificate/issuer.server";
import { OID } from "../oids.server";
import { verifyCrl } from "./describe.server";
import { parseCrl } from "./parse.server";

/**
 * Returns why an imported CRL is not one of this CA's base CRLs, as the end of a sentence about the CRL, or null when it is one. Throws a
 * CaError `malformed` when the bytes are not a v2 CRL, or its signature algorithm is not one of this CA's.
 */
export function foreignCrlProblem(der: Uint8Array, issuer: Issuer): string | null {
  const { list } = parseCrl(der);
  const extensions = list.crlExtensions?.extensions ?? [];
  if (Buffer.compare(Buffer.from(list.issuer.valueBeforeDecode), issuer.subjectDer) !== 0)
    return "names another issuer";
  if (!verifyCrl(der, issuer)) return "is not signed with the CA's key, or was changed afterwards";
  if (extensions.some(({ extnID }) => extnID === OID.deltaCRLIndicator)) return "is a delta CRL";
  // A critical extension such as issuingDistributionPoint makes the CRL cover only some certificates. Clients would refuse it or take it
  // for the complete CRL (RFC 5280 §5.2).
  if (extensions.some(({ critical }) => critical)) return "has a critical extension";
  return null;
}
