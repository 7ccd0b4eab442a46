import { type Issuer } from "../certificate/issuer.server";
import { nameDer } from "../certificate/parse.server";
import { OID } from "../oids.server";
import { verifyCrl } from "./describe.server";
import { parseCrl } from "./parse.server";

/**
 * Why a CRL that came from elsewhere is not one of this CA's base lists, as the end of a sentence about the list; null when it is one.
 * Throws CaError `malformed` when the bytes are no CRL of version 2 with a signature of our kind.
 */
export function foreignListProblem(der: Uint8Array, issuer: Issuer): string | null {
  const { list } = parseCrl(der);
  const extensions = list.crlExtensions?.extensions ?? [];
  if (Buffer.compare(nameDer(list.issuer), issuer.subjectDer) !== 0) return "names another issuer";
  if (!verifyCrl(der, issuer)) return "is not signed with the CA's key, or was changed afterwards";
  if (extensions.some(({ extnID }) => extnID === OID.deltaCRLIndicator)) return "is a delta list";
  // Such as issuingDistributionPoint: a list of a part, which clients would refuse or take for the whole (RFC 5280 §5.2).
  if (extensions.some(({ critical }) => critical)) return "has a critical extension";
  return null;
}
