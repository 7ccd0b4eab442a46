import * as asn1js from "asn1js";
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  CertificatePolicies,
  CRLDistributionPoints,
  ExtKeyUsage,
  type GeneralName,
  InfoAccess,
} from "pkijs";
import { malformed, parseDer } from "../der.server";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { OID } from "../oids.server";
import { type AlternateName, readGeneralNames } from "../x509/general-names.server";
import { readText } from "../x509/text.server";
import { extendedKeyUsageName, keyUsageNames } from "../x509/usage-names.server";
import { type ParsedExtension } from "./parse.server";

export interface ExtensionValues {
  keyUsage: string[];
  enhancedKeyUsage: string[];
  subjectAlternateName: AlternateName[];
  subjectKeyIdentifier: string | null;
  authorityKeyIdentifier: string | null;
  isCa: boolean;
  pathLength: number | null;
  policies: { oid: string; cpsUri?: string }[];
  crlUrls: string[];
  freshestCrlUrls: string[];
  ocspUrls: string[];
  caIssuersUrls: string[];
}

type Reader<T> = (value: Uint8Array) => T;

const readOnce =
  <T>(reader: (schema: asn1js.AsnType) => T): Reader<T> =>
  (value) =>
    reader(parseDer(value));

/** Returns a cached reader for values that the certificates of a CA share. */
const readShared = <T>(reader: (schema: asn1js.AsnType) => T): Reader<T> => memoizeByBytes(100, readOnce(reader));

const READERS = {
  keyUsage: readShared((schema) => keyUsageNames(readNamedBits(schema))),
  extKeyUsage: readShared(readKeyPurposes),
  // A certificate is read before it is signed and again afterwards.
  subjectAltName: memoizeByBytes(500, readOnce(readGeneralNames)),
  subjectKeyIdentifier: readOnce(readOctets),
  authorityKeyIdentifier: readShared(readAuthorityKey),
  basicConstraints: readShared(readBasicConstraints),
  certificatePolicies: readShared(readPolicies),
  distributionPoints: readShared(readDistributionPoints),
  authorityInfoAccess: readShared(readAccess),
};

/**
 * Reads the extensions that this CA writes. Missing ones give empty values. Throws on malformed values, for which pkijs' own `parsedValue`
 * would give an empty value. The result must not be changed, because other callers may receive the same arrays.
 */
export function readExtensionValues(extensions: readonly ParsedExtension[]): ExtensionValues {
  const read = <T>(oid: string, reader: Reader<T>, absent: T): T => {
    const found = extensions.findLast((extension) => extension.oid === oid);
    return found ? reader(found.value) : absent;
  };
  return {
    keyUsage: read(OID.keyUsage, READERS.keyUsage, []),
    enhancedKeyUsage: read(OID.extKeyUsage, READERS.extKeyUsage, []),
    subjectAlternateName: read(OID.subjectAltName, READERS.subjectAltName, []),
    subjectKeyIdentifier: read(OID.subjectKeyIdentifier, READERS.subjectKeyIdentifier, null),
    authorityKeyIdentifier: read(OID.authorityKeyIdentifier, READERS.authorityKeyIdentifier, null),
    ...read(OID.basicConstraints, READERS.basicConstraints, { isCa: false, pathLength: null }),
    policies: read(OID.certificatePolicies, READERS.certificatePolicies, []),
    crlUrls: read(OID.cRLDistributionPoints, READERS.distributionPoints, []),
    freshestCrlUrls: read(OID.freshestCRL, READERS.distributionPoints, []),
    ...read(OID.authorityInfoAccess, READERS.authorityInfoAccess, { ocspUrls: [], caIssuersUrls: [] }),
  };
}

/** Returns the numbers of the bits that are set in a named bit list, ascending. */
function readNamedBits(schema: asn1js.AsnType): number[] {
  if (!(schema instanceof asn1js.BitString)) throw malformed("no bit string where one is expected");
  return [...schema.valueBlock.valueHexView].flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => index * 8 + bit),
  );
}

function readOctets(schema: asn1js.AsnType | undefined): string | null {
  if (!(schema instanceof asn1js.OctetString)) throw malformed("no octet string where one is expected");
  return Buffer.from(schema.valueBlock.valueHexView).toString("hex");
}

function readBasicConstraints(schema: asn1js.AsnType): { isCa: boolean; pathLength: number | null } {
  const { cA, pathLenConstraint: limit } = new BasicConstraints({ schema });
  return {
    isCa: cA,
    pathLength: limit === undefined ? null : Number(typeof limit === "number" ? limit : limit.toBigInt()),
  };
}

function readKeyPurposes(schema: asn1js.AsnType): string[] {
  return new ExtKeyUsage({ schema }).keyPurposes.map(extendedKeyUsageName);
}

function readAuthorityKey(schema: asn1js.AsnType): string | null {
  const { keyIdentifier } = new AuthorityKeyIdentifier({ schema });
  return keyIdentifier ? readOctets(keyIdentifier) : null;
}

function readPolicies(schema: asn1js.AsnType): { oid: string; cpsUri?: string }[] {
  return new CertificatePolicies({ schema }).certificatePolicies.map(({ policyIdentifier, policyQualifiers = [] }) => {
    const cps = policyQualifiers.find(({ policyQualifierId }) => policyQualifierId === OID.qualifierCps);
    return { oid: policyIdentifier, ...(cps && { cpsUri: readText(cps.qualifier as asn1js.AsnType) }) };
  });
}

const urlsOf = (names: readonly GeneralName[]): string[] =>
  names.filter(({ type }) => type === 6).map(({ value }) => String(value));

/** Returns the URIs in the fullName of every DistributionPoint. */
function readDistributionPoints(schema: asn1js.AsnType): string[] {
  return new CRLDistributionPoints({ schema }).distributionPoints.flatMap(({ distributionPoint: names }) =>
    Array.isArray(names) ? urlsOf(names) : [],
  );
}

function readAccess(schema: asn1js.AsnType): Pick<ExtensionValues, "ocspUrls" | "caIssuersUrls"> {
  const { accessDescriptions } = new InfoAccess({ schema });
  const urls = (method: string): string[] =>
    urlsOf(
      accessDescriptions
        .filter(({ accessMethod }) => accessMethod === method)
        .map(({ accessLocation }) => accessLocation),
    );
  return { ocspUrls: urls(OID.accessMethodOcsp), caIssuersUrls: urls(OID.accessMethodCaIssuers) };
}
