import { verify } from "node:crypto";
import {
  type DerElement,
  members,
  readElement,
  readTime,
  readUnsigned,
  expectTag,
  readBitString,
  readHeader,
} from "../asn1/read.server";
import { OID } from "../asn1/oids.server";
import { contextConstructedTag, TAG } from "../asn1/tags.server";
import { type Issuer } from "../certificate/issuer.server";
import { type Extension, readExtensions } from "../certificate/parse.server";
import { CaError } from "../errors.server";
import { caSignatureHash } from "../x509/algorithms.server";
import { formatName, readName } from "../x509/name.server";

export interface RevokedDescription {
  revocationDate: Date;
  reason: number;
  invalidityDate: Date | null;
}

export interface CrlDescription {
  number: bigint;
  /** Null for a base list. */
  baseNumber: bigint | null;
  thisUpdate: Date;
  nextUpdate: Date;
  issuerName: string;
  entryCount: number;
  /** The entry of a serial number (hex, any case), or null. Walks the list. */
  find: (serial: string) => RevokedDescription | null;
}

/** Reads a DER CRL of this CA (RFC 5280 §5.1). Throws CaError `malformed` for anything else. */
export function describeCrl(der: Uint8Array): CrlDescription {
  const { issuer, thisUpdate, nextUpdate, entries, extensions } = parseCrl(der);
  const number = extensionOf(extensions, OID.cRLNumber);
  const baseNumber = extensionOf(extensions, OID.deltaCRLIndicator);
  if (!number) throw new CaError("malformed", "The list has no number.");
  return {
    number: readUnsigned(number),
    baseNumber: baseNumber ? readUnsigned(baseNumber) : null,
    thisUpdate: readTime(thisUpdate),
    nextUpdate: readTime(nextUpdate),
    issuerName: formatName(readName(issuer)),
    entryCount: countElements(entries),
    find: (serial) => findEntry(entries, BigInt(`0x${serial}`)),
  };
}

/** Whether the issuer's key signed the list. */
export function verifyCrl(der: Uint8Array, issuer: Issuer): boolean {
  const { tbs, algorithm, signature } = parseCrl(der);
  return verify(caSignatureHash(algorithm), tbs, issuer.publicKey, signature);
}

function parseCrl(der: Uint8Array) {
  const [tbs, algorithm, signature] = members(readElement(der));
  const [version, , issuer, thisUpdate, nextUpdate, ...rest] = members(tbs);
  if (!tbs || readUnsigned(version) !== 1n) throw new CaError("malformed", "Not a list of version 2.");
  const extensions = rest.find(({ tag }) => tag === contextConstructedTag(0));
  return {
    tbs: tbs.der,
    algorithm,
    signature: readBitString(signature),
    issuer,
    thisUpdate,
    nextUpdate,
    entries: rest.find(({ tag }) => tag === TAG.sequence)?.content ?? new Uint8Array(),
    extensions: readExtensions(members(extensions, contextConstructedTag(0))[0]),
  };
}

function extensionOf(extensions: readonly Extension[], oid: string): DerElement | undefined {
  const found = extensions.find((extension) => extension.oid === oid);
  return found && readElement(found.value);
}

function countElements(content: Uint8Array): number {
  let count = 0;
  for (let offset = 0; offset < content.length; offset = readHeader(content, offset).end) count += 1;
  return count;
}

function findEntry(content: Uint8Array, serial: bigint): RevokedDescription | null {
  for (let offset = 0; offset < content.length; offset = readHeader(content, offset).end) {
    const entry = readElement(content, offset);
    if (readUnsigned(readElement(entry.content)) === serial) return describeEntry(entry);
  }
  return null;
}

function describeEntry(entry: DerElement): RevokedDescription {
  const [, revocationDate, extensions] = members(entry);
  const list = extensions ? readExtensions(expectTag(extensions, TAG.sequence)) : [];
  const reason = extensionOf(list, OID.reasonCode);
  const invalidityDate = extensionOf(list, OID.invalidityDate);
  return {
    revocationDate: readTime(revocationDate),
    reason: reason ? Number(readUnsigned(reason, TAG.enumerated)) : 0,
    invalidityDate: invalidityDate ? readTime(invalidityDate) : null,
  };
}
