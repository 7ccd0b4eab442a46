import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import { OID } from "../oids.server";
import { type AlternateName, encodeGeneralName } from "./general-names.server";
import { ia5String } from "./text.server";
import {
  EXTENDED_KEY_USAGE_OIDS,
  type ExtendedKeyUsageName,
  KEY_USAGE_BITS,
  type KeyUsageName,
} from "./usage-names.server";

/** Returns an extension with this value. */
export const extension = (extnID: string, value: asn1js.BaseBlock, critical = false): pkijs.Extension =>
  new pkijs.Extension({ extnID, critical, extnValue: value.toBER() });

/** Critical basicConstraints (RFC 5280 §4.2.1.9): `cA` and the path length for a CA, empty for an end entity. */
export function basicConstraints(cA: boolean, pathLength?: number): pkijs.Extension {
  const limit = pathLength === undefined ? {} : { pathLenConstraint: pathLength };
  return extension(OID.basicConstraints, new pkijs.BasicConstraints({ cA, ...limit }).toSchema(), true);
}

/** Critical keyUsage (RFC 5280 §4.2.1.3), a named bit list. Its encoding ends with the last bit that is set (X.690 §11.2.2). */
export function keyUsage(names: readonly KeyUsageName[]): pkijs.Extension {
  const bits = names.map((name) => KEY_USAGE_BITS[name]);
  const last = Math.max(...bits);
  const octets = new Uint8Array((last >> 3) + 1);
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return extension(OID.keyUsage, new asn1js.BitString({ valueHex: octets, unusedBits: 7 - (last & 7) }), true);
}

/** extKeyUsage (RFC 5280 §4.2.1.12), not critical. */
export function extKeyUsage(names: readonly ExtendedKeyUsageName[]): pkijs.Extension {
  const keyPurposes = names.map((name) => EXTENDED_KEY_USAGE_OIDS[name]);
  return extension(OID.extKeyUsage, new pkijs.ExtKeyUsage({ keyPurposes }).toSchema());
}

/** subjectAltName (RFC 5280 §4.2.1.6). */
export const subjectAltName = (names: readonly AlternateName[]): pkijs.Extension =>
  extension(OID.subjectAltName, new pkijs.GeneralNames({ names: names.map(encodeGeneralName) }).toSchema());

/** subjectKeyIdentifier (RFC 5280 §4.2.1.2). */
export const subjectKeyIdentifier = (keyIdentifier: Uint8Array): pkijs.Extension =>
  extension(OID.subjectKeyIdentifier, new asn1js.OctetString({ valueHex: keyIdentifier }));

/** authorityKeyIdentifier with only the key identifier (RFC 5280 §4.2.1.1). */
export function authorityKeyIdentifier(keyIdentifier: Uint8Array): pkijs.Extension {
  const octets = new asn1js.OctetString({ valueHex: keyIdentifier });
  return extension(OID.authorityKeyIdentifier, new pkijs.AuthorityKeyIdentifier({ keyIdentifier: octets }).toSchema());
}

/** certificatePolicies with one policy and, when given, its CPS address (RFC 5280 §4.2.1.4). Throws a RangeError on an invalid OID. */
export function certificatePolicies(oid: string, cpsUri?: string): pkijs.Extension {
  // asn1js would silently write only the part of an invalid OID that it understands.
  if (!/^[0-2](\.(0|[1-9]\d*))+$/.test(oid)) throw new RangeError(`not an object identifier: ${oid}`);
  const cps = (uri: string) =>
    new pkijs.PolicyQualifierInfo({ policyQualifierId: OID.qualifierCps, qualifier: ia5String(uri) });
  const qualifiers = cpsUri ? { policyQualifiers: [cps(cpsUri)] } : {};
  const policy = new pkijs.PolicyInformation({ policyIdentifier: oid, ...qualifiers });
  return extension(
    OID.certificatePolicies,
    new pkijs.CertificatePolicies({ certificatePolicies: [policy] }).toSchema(),
  );
}

/** id-pkix-ocsp-nocheck (RFC 6960 §4.2.2.2.1). */
export const ocspNoCheck = (): pkijs.Extension => extension(OID.ocspNoCheck, new asn1js.Null());
