import * as asn1js from "asn1js";
import { AlgorithmIdentifier } from "pkijs";
import { sequenceOf } from "../der-writing.server";
import { contentOf, malformed, membersOf, parseDer, splitDer, unsigned } from "../der.server";
import { CaError } from "../errors.server";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { distinguishedName, type NameAttribute, readName } from "../x509/name.server";
import { keyIdentityOf, type ReadPublicKey, readPublicKey } from "../x509/public-key.server";

/** A distinguished name with its bytes in the certificate. */
export interface ParsedName {
  der: Uint8Array;
  attributes: readonly NameAttribute[];
}

/** An extension. `value` is the DER that its OCTET STRING contains. */
export interface ParsedExtension {
  oid: string;
  critical: boolean;
  value: Uint8Array;
}

/** The members of an X.509 certificate of version 3 (RFC 5280 §4.1). Must not be changed, because certificates share parts. */
export interface ParsedCertificate {
  tbs: Uint8Array;
  serialNumber: bigint;
  signatureAlgorithm: AlgorithmIdentifier;
  issuer: ParsedName;
  notBefore: Date;
  notAfter: Date;
  subject: ParsedName;
  key: ReadPublicKey;
  extensions: readonly ParsedExtension[];
  signature: Uint8Array;
}

const TRUE = Uint8Array.of(0x01, 1, 0xff);
/** Version 3 with the explicit tag [0]. */
const V3 = Uint8Array.of(0xa0, 3, 2, 1, 2);
/** Identifier octet of the extensions, which have the explicit tag [3]. */
const EXTENSIONS = 0xa3;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;

/** How many results each cache of parts keeps. */
const KEPT = 100;

const sameBytes = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && Buffer.compare(one, other) === 0;

const parseAlgorithm = memoizeByBytes(KEPT, (der) => new AlgorithmIdentifier({ schema: parseDer(der) }));

/** Certificates of one company share most parts of their names, so each part is parsed by itself, as a name of one part. */
const parseNamePart = memoizeByBytes(500, (rdn) => readName(distinguishedName(sequenceOf(rdn))));
const parseName = (der: Uint8Array): ParsedName => ({ der, attributes: splitDer(der).flatMap(parseNamePart) });
const parseIssuer = memoizeByBytes(KEPT, parseName);

const parseValidity = memoizeByBytes(KEPT, (der): [Date, Date] => {
  const [start, end, ...rest] = membersOf(parseDer(der));
  // A GeneralizedTime of asn1js is also a UTCTime.
  if (!(start instanceof asn1js.UTCTime) || !(end instanceof asn1js.UTCTime) || rest.length > 0)
    throw malformed("not a period");
  return [start.toDate(), end.toDate()];
});

const parseOid = memoizeByBytes(KEPT, (der): string => {
  const element = parseDer(der);
  if (!(element instanceof asn1js.ObjectIdentifier)) throw malformed("no object identifier where one is expected");
  return element.getValue();
});

function parseExtension(der: Uint8Array): ParsedExtension {
  const [oid, ...rest] = splitDer(der);
  const value = rest.pop();
  // FALSE is the default, which DER does not write.
  if (!oid || rest.length > 1 || rest.some((critical) => !sameBytes(critical, TRUE)))
    throw malformed("not an extension");
  return { oid: parseOid(oid), critical: rest.length > 0, value: contentOf(value, OCTET_STRING) };
}

function parseSignature(der: Uint8Array): Uint8Array {
  const content = contentOf(der, BIT_STRING);
  if (content[0] !== 0) throw malformed("a bit string of broken bytes");
  return content.subarray(1);
}

interface ParsedTbs extends Omit<ParsedCertificate, "signatureAlgorithm" | "signature"> {
  algorithm: Uint8Array | undefined;
}

/** The TBS certificate is read before it is signed, and again in the certificate. */
const parseTbs = memoizeByBytes(KEPT, (tbs): ParsedTbs => {
  const [version, serial, algorithm, issuer, validity, subject, spki, extensions, ...rest] = splitDer(tbs);
  if (!serial || !issuer || !validity || !subject || !spki || rest.length > 0) throw malformed("not a TBS certificate");
  if (!sameBytes(V3, version)) throw malformed("not a certificate of version 3");
  const [notBefore, notAfter] = parseValidity(validity);
  return {
    tbs,
    algorithm,
    serialNumber: unsigned(parseDer(serial)),
    issuer: parseIssuer(issuer),
    notBefore,
    notAfter,
    subject: parseName(subject),
    key: readPublicKey(spki),
    extensions: extensions ? splitDer(contentOf(extensions, EXTENSIONS)).map(parseExtension) : [],
  };
});

function parse(der: Uint8Array): ParsedCertificate {
  const [tbs, algorithm, signature, ...others] = splitDer(der);
  if (!tbs || !algorithm || !signature || others.length > 0) throw malformed("not a certificate");
  const { algorithm: innerAlgorithm, ...parsed } = parseTbs(tbs);
  if (!sameBytes(algorithm, innerAlgorithm)) throw malformed("two signature algorithms");
  return { ...parsed, signatureAlgorithm: parseAlgorithm(algorithm), signature: parseSignature(signature) };
}

/** Returns the result of `read` and turns every error into a CaError `malformed`. */
export function readingCertificate<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new CaError("malformed", "The bytes are not a DER certificate.");
  }
}

/**
 * Parses an X.509 certificate of version 3 (RFC 5280 §4.1). What most certificates of a CA share is parsed only once, and pkijs parses the
 * other parts. It takes a fraction of a millisecond. Throws a CaError `malformed`, also when the two signature algorithms differ
 * (§4.1.1.2).
 */
export const parseCertificate = (der: Uint8Array): ParsedCertificate => readingCertificate(() => parse(der));

/** Returns the key identity (`Csr.keyIdentity`) of a DER certificate. Throws a CaError `malformed`. */
export const certificateKeyIdentity = (der: Uint8Array): string => keyIdentityOf(parseCertificate(der).key);
