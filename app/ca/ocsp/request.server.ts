import * as asn1js from "asn1js";
import { type Extension, Extensions } from "pkijs";
import { derOf, malformed, membersOf, parseDer, reading, unsigned } from "../der.server";
import { OID } from "../oids.server";
import { type CertId, readCertId } from "./cert-id.server";

export interface OcspRequest {
  /** At least one. */
  certIds: CertId[];
  /** DER of the nonce extension, which the response repeats, or null when there is none. */
  nonce: Uint8Array | null;
}

const CONTEXT = 3;
const MAX_NONCE_BYTES = 128;

/**
 * Reads an OCSPRequest (RFC 6960 §4.1). A signature and the requestor's name are ignored, because anybody may send requests. Throws a
 * CaError `malformed`, also for an unknown critical extension and for a nonce that is empty or longer than 128 octets (RFC 9654 §2.1).
 */
export const readOcspRequest = (der: Uint8Array): OcspRequest => reading(() => parse(der));

function parse(der: Uint8Array): OcspRequest {
  const [tbsRequest, ...signature] = membersOf(parseDer(der));
  takeTagged(signature, 0);
  const members = [...membersOf(tbsRequest)];
  const version = takeTagged(members, 0);
  takeTagged(members, 1); // requestorName
  const requests = membersOf(members.shift());
  const extensions = readExtensions(takeTagged(members, 2), [OID.ocspNonce]);
  const isWhole = signature.length === 0 && members.length === 0 && requests.length > 0;
  if (!isWhole || (version && unsigned(version) !== 0n)) throw malformed("not an OCSPRequest");
  return { certIds: requests.map(readRequest), nonce: readNonce(extensions) };
}

/** Removes the first member if it has the context-specific tag [number], and returns its content. Returns null when it has another tag. */
function takeTagged(members: asn1js.AsnType[], number: number): asn1js.AsnType | null {
  const [first] = members;
  if (first?.idBlock.tagClass !== CONTEXT || first.idBlock.tagNumber !== number) return null;
  const [content, ...rest] = first instanceof asn1js.Constructed ? first.valueBlock.value : [];
  if (!content || rest.length > 0) throw malformed("a tag without its one content");
  members.shift();
  return content;
}

function readRequest(request: asn1js.AsnType): CertId {
  const [certId, ...rest] = membersOf(request);
  readExtensions(takeTagged(rest, 0), []);
  if (rest.length > 0) throw malformed("not a Request");
  return readCertId(certId);
}

/** Returns the extensions. Throws when one occurs twice or a critical one is not in `known`. */
function readExtensions(schema: asn1js.AsnType | null, known: readonly string[]): Extension[] {
  if (!schema) return [];
  const { extensions } = new Extensions({ schema });
  if (extensions.length !== membersOf(schema).length) throw malformed("not extensions");
  if (new Set(extensions.map(({ extnID }) => extnID)).size < extensions.length) throw malformed("an extension twice");
  if (extensions.some(({ extnID, critical }) => critical && !known.includes(extnID))) {
    throw malformed("an unknown critical extension");
  }
  return extensions;
}

function readNonce(extensions: readonly Extension[]): Uint8Array | null {
  const found = extensions.find(({ extnID }) => extnID === OID.ocspNonce);
  if (!found) return null;
  const value = parseDer(found.extnValue.valueBlock.valueHexView);
  if (!(value instanceof asn1js.OctetString)) throw malformed("a nonce that is no octet string");
  const { length } = value.valueBlock.valueHexView;
  if (length === 0 || length > MAX_NONCE_BYTES) throw malformed("a nonce of a wrong length");
  return derOf(found.toSchema());
}
