import { verify } from "node:crypto";
import * as asn1js from "asn1js";
import { RevokedCertificate } from "pkijs";
import { serialHex } from "../certificate/encode.server";
import { type Issuer } from "../certificate/issuer.server";
import { derOf, malformed, parseDer, reading, unsigned, wholeBytes } from "../der.server";
import { OID } from "../oids.server";
import { caSignatureHash } from "../x509/algorithms.server";
import { formatName, readName } from "../x509/name.server";
import { extensionOf, parseCrl } from "./parse.server";
import { elementsOf } from "./parts.server";

export interface RevokedDescription {
  revocationDate: Date;
  reason: number;
  invalidityDate: Date | null;
}

/** A revoked certificate of a CRL. */
export interface ListedRevocation extends RevokedDescription {
  /** Upper-case hex. */
  serial: string;
  /** The bytes of the entry. */
  der: Uint8Array;
}

export interface CrlDescription {
  number: bigint;
  /** Null for a base CRL. */
  baseNumber: bigint | null;
  thisUpdate: Date;
  nextUpdate: Date;
  issuerName: string;
  entryCount: number;
  /** Returns the entry with a serial number (hex, any case), or null. Reads the entries one after the other. */
  find: (serial: string) => RevokedDescription | null;
}

/** Reads a DER CRL of this CA (RFC 5280 §5.1). Throws a CaError `malformed` for anything else. */
export function describeCrl(der: Uint8Array): CrlDescription {
  const { list, entries } = parseCrl(der);
  const number = extensionOf(list.crlExtensions, OID.cRLNumber);
  const baseNumber = extensionOf(list.crlExtensions, OID.deltaCRLIndicator);
  if (!number || !list.nextUpdate) throw malformed("a CRL without a number or an end");
  return {
    number: unsigned(number),
    baseNumber: baseNumber ? unsigned(baseNumber) : null,
    thisUpdate: list.thisUpdate.value,
    nextUpdate: list.nextUpdate.value,
    issuerName: formatName(readName(list.issuer)),
    entryCount: countOf(entries),
    find: (serial) => findEntry(entries, BigInt(`0x${serial}`)),
  };
}

/** Returns whether the issuer's key signed the CRL. */
export function verifyCrl(der: Uint8Array, issuer: Issuer): boolean {
  const { list, tbs } = parseCrl(der);
  return verify(caSignatureHash(list.signatureAlgorithm), tbs, issuer.publicKey, wholeBytes(list.signatureValue));
}

function countOf(entries: Uint8Array): number {
  const elements = elementsOf(entries);
  let count = 0;
  while (!elements.next().done) count += 1;
  return count;
}

function findEntry(entries: Uint8Array, serial: bigint): RevokedDescription | null {
  const wanted = derOf(asn1js.Integer.fromBigInt(serial));
  for (const { content, der } of elementsOf(entries)) {
    if (Buffer.compare(content.subarray(0, wanted.length), wanted) === 0) return reading(() => describeEntry(der));
  }
  return null;
}

/** Returns all entries of a DER CRL in their order. Use it for the short CRLs of roots. Throws a CaError `malformed`. */
export const listRevocations = (der: Uint8Array): ListedRevocation[] =>
  [...elementsOf(parseCrl(der).entries)].map((element) =>
    reading(() => {
      const { userCertificate } = new RevokedCertificate({ schema: parseDer(element.der) });
      return { serial: serialHex(unsigned(userCertificate)), der: element.der, ...describeEntry(element.der) };
    }),
  );

function describeEntry(der: Uint8Array): RevokedDescription {
  const { revocationDate, crlEntryExtensions } = new RevokedCertificate({ schema: parseDer(der) });
  const reason = extensionOf(crlEntryExtensions, OID.reasonCode);
  const invalidityDate = extensionOf(crlEntryExtensions, OID.invalidityDate);
  return {
    revocationDate: revocationDate.value,
    reason: reason ? Number(unsigned(reason)) : 0,
    invalidityDate: invalidityDate instanceof asn1js.GeneralizedTime ? invalidityDate.toDate() : null,
  };
}
