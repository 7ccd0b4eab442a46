import { OID } from "../asn1/oids.server";
import { contextTag } from "../asn1/tags.server";
import * as der from "../asn1/write.server";
import { type AlternateName, encodeGeneralName } from "./general-names.server";
import {
  EXTENDED_KEY_USAGE_OIDS,
  type ExtendedKeyUsageName,
  KEY_USAGE_BITS,
  type KeyUsageName,
} from "./usage-names.server";

function extension(oid: string, value: Uint8Array, critical = false): Uint8Array {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(oid), ...flag, der.octetString(value));
}

/** Critical basicConstraints (RFC 5280 §4.2.1.9): `cA` with its path length for a CA, empty for an end entity. */
export function basicConstraints(ca: boolean, pathLength?: number): Uint8Array {
  const limit = pathLength === undefined ? [] : [der.integer(pathLength)];
  return extension(OID.basicConstraints, ca ? der.sequence(der.boolean(true), ...limit) : der.sequence(), true);
}

/** Critical keyUsage (RFC 5280 §4.2.1.3). */
export const keyUsage = (names: readonly KeyUsageName[]): Uint8Array =>
  extension(OID.keyUsage, der.namedBits(names.map((name) => KEY_USAGE_BITS[name])), true);

/** extKeyUsage (RFC 5280 §4.2.1.12), not critical. */
export const extKeyUsage = (names: readonly ExtendedKeyUsageName[]): Uint8Array =>
  extension(OID.extKeyUsage, der.sequence(...names.map((name) => der.objectIdentifier(EXTENDED_KEY_USAGE_OIDS[name]))));

/** subjectAltName (RFC 5280 §4.2.1.6). */
export const subjectAltName = (names: readonly AlternateName[]): Uint8Array =>
  extension(OID.subjectAltName, der.sequence(...names.map(encodeGeneralName)));

/** subjectKeyIdentifier (RFC 5280 §4.2.1.2). */
export const subjectKeyIdentifier = (keyIdentifier: Uint8Array): Uint8Array =>
  extension(OID.subjectKeyIdentifier, der.octetString(keyIdentifier));

/** authorityKeyIdentifier by key identifier only (RFC 5280 §4.2.1.1). */
export const authorityKeyIdentifier = (keyIdentifier: Uint8Array): Uint8Array =>
  extension(OID.authorityKeyIdentifier, der.sequence(der.element(contextTag(0), keyIdentifier)));

/** certificatePolicies with one policy and, when given, its CPS address (RFC 5280 §4.2.1.4). */
export function certificatePolicies(oid: string, cpsUri?: string): Uint8Array {
  const qualifier = (uri: string): Uint8Array =>
    der.sequence(der.sequence(der.objectIdentifier(OID.qualifierCps), der.ia5(uri)));
  return extension(
    OID.certificatePolicies,
    der.sequence(der.sequence(der.objectIdentifier(oid), ...(cpsUri ? [qualifier(cpsUri)] : []))),
  );
}

const distributionPoints = (url: string): Uint8Array =>
  der.sequence(der.sequence(der.context(0, der.context(0, der.ia5(url, contextTag(6))))));

/** cRLDistributionPoints with one address (RFC 5280 §4.2.1.13). */
const crlDistributionPoints = (url: string): Uint8Array =>
  extension(OID.cRLDistributionPoints, distributionPoints(url));

/** freshestCRL: where the delta list is (RFC 5280 §4.2.1.15). */
const freshestCrl = (url: string): Uint8Array => extension(OID.freshestCRL, distributionPoints(url));

/** authorityInfoAccess (RFC 5280 §4.2.2.1). */
function authorityInfoAccess({ ocsp, caIssuers }: { ocsp?: string; caIssuers?: string }): Uint8Array {
  const access = (method: string, url?: string): Uint8Array[] =>
    url ? [der.sequence(der.objectIdentifier(method), der.ia5(url, contextTag(6)))] : [];
  return extension(
    OID.authorityInfoAccess,
    der.sequence(...access(OID.accessMethodOcsp, ocsp), ...access(OID.accessMethodCaIssuers, caIssuers)),
  );
}

/** The extensions that say where lists, issuer and OCSP are; each only when its address is given. */
export function addresses(urls: {
  crl?: string;
  freshestCrl?: string;
  ocsp?: string;
  caIssuers?: string;
}): Uint8Array[] {
  return [
    ...(urls.crl ? [crlDistributionPoints(urls.crl)] : []),
    ...(urls.freshestCrl ? [freshestCrl(urls.freshestCrl)] : []),
    ...(urls.ocsp || urls.caIssuers ? [authorityInfoAccess(urls)] : []),
  ];
}

/** id-pkix-ocsp-nocheck (RFC 6960 §4.2.2.2.1). */
export const ocspNoCheck = (): Uint8Array => extension(OID.ocspNoCheck, der.nullValue());

/** cRLNumber (RFC 5280 §5.2.3). */
export const crlNumber = (number: bigint | number): Uint8Array => extension(OID.cRLNumber, der.integer(number));

/** Critical deltaCRLIndicator: the number of the base list (RFC 5280 §5.2.4). */
export const deltaCrlIndicator = (baseNumber: bigint | number): Uint8Array =>
  extension(OID.deltaCRLIndicator, der.integer(baseNumber), true);

/** reasonCode of a revoked entry (RFC 5280 §5.3.1). */
export const reasonCode = (reason: number): Uint8Array => extension(OID.reasonCode, der.enumerated(reason));

/** invalidityDate of a revoked entry: since when the key is suspect (RFC 5280 §5.3.2). */
export const invalidityDate = (date: Date): Uint8Array => extension(OID.invalidityDate, der.generalizedTime(date));
