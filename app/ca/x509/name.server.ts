import type * as asn1js from "asn1js";
import { RelativeDistinguishedNames } from "pkijs";
import { elementOf, objectIdentifier, sequenceOf } from "../der-writing.server";
import { bytesRead, derOf, parseDer, reading } from "../der.server";
import { OID } from "../oids.server";
import { ia5String, printableString, readText, utf8String } from "./text.server";

/** The subject attributes that a certificate of this CA can contain, with the portal's names. */
export interface SubjectFields {
  country?: string;
  state?: string;
  locality?: string;
  organisation?: string;
  organisationUnit?: string;
  commonName?: string;
  /** X.520 serialNumber, which contains the SSID of OFTP2. */
  deviceSerialNumber?: string;
  email?: string;
}

export type SubjectField = keyof SubjectFields;

/** One attribute of a distinguished name, in the form in which it is encoded. `type` is its short name or the OID. */
export interface NameAttribute {
  oid: string;
  type: string;
  value: string;
}

const SET = 0x31;

interface AttributeType {
  field: SubjectField;
  oid: string;
  oidDer: Uint8Array;
  type: string;
  encode: (text: string) => asn1js.BaseStringBlock;
}

const attribute = (field: SubjectField, oid: string, type: string, encode: AttributeType["encode"]): AttributeType => ({
  field,
  oid,
  oidDer: objectIdentifier(oid),
  type,
  encode,
});

/** The attributes in the order in which they are written: C ST L O OU CN serialNumber E (CAL-02). */
const ATTRIBUTE_TYPES: readonly AttributeType[] = [
  attribute("country", OID.countryName, "C", printableString),
  attribute("state", OID.stateOrProvinceName, "ST", utf8String),
  attribute("locality", OID.localityName, "L", utf8String),
  attribute("organisation", OID.organizationName, "O", utf8String),
  attribute("organisationUnit", OID.organizationalUnitName, "OU", utf8String),
  attribute("commonName", OID.commonName, "CN", utf8String),
  attribute("deviceSerialNumber", OID.serialNumber, "serialNumber", printableString),
  attribute("email", OID.emailAddress, "E", ia5String),
];

/**
 * Returns the DER of the Name (RFC 5280 §4.1.2.4), with one attribute per RDN. Empty fields are omitted. Throws a RangeError on characters
 * that the type of the attribute does not allow.
 */
export function encodeName(subject: SubjectFields): Uint8Array {
  const rdns = ATTRIBUTE_TYPES.flatMap(({ field, oidDer, encode }) => {
    const value = subject[field];
    return value ? [elementOf(SET, sequenceOf(oidDer, derOf(encode(value))))] : [];
  });
  return sequenceOf(...rdns);
}

/**
 * Returns a Name as a pkijs object that keeps and writes exactly these bytes. (A name made from attributes would have all of them in one
 * RDN.)
 */
export const distinguishedName = (der: Uint8Array): RelativeDistinguishedNames =>
  reading(() => new RelativeDistinguishedNames({ schema: parseDer(der) }));

/** Returns the attributes of a Name in the order of the bytes. Throws a CaError `malformed`. */
export function readName(name: RelativeDistinguishedNames): NameAttribute[] {
  return name.typesAndValues.map(({ type: oid, value }) => {
    const known = ATTRIBUTE_TYPES.find((candidate) => candidate.oid === oid);
    return { oid, type: known?.type ?? oid, value: attributeText(value, known !== undefined) };
  });
}

/** Returns the text of a value. The value of an attribute that the portal does not use may have any type and is returned as hex. */
function attributeText(value: asn1js.AsnType, used: boolean): string {
  try {
    return readText(value);
  } catch (error) {
    if (used) throw error;
    return `#${Buffer.from(bytesRead(value)).toString("hex")}`;
  }
}

/** Returns the first value of each attribute that the portal knows. */
export function toSubjectFields(attributes: readonly NameAttribute[]): SubjectFields {
  const fields: SubjectFields = {};
  for (const { field, oid } of ATTRIBUTE_TYPES) {
    const found = attributes.find((attribute) => attribute.oid === oid);
    if (found) fields[field] = found.value;
  }
  return fields;
}

/** Returns the attributes of a subject in the order in which they are written. Empty fields are omitted. */
export const toNameAttributes = (subject: SubjectFields): NameAttribute[] =>
  ATTRIBUTE_TYPES.flatMap(({ field, oid, type }) => {
    const value = subject[field];
    return value ? [{ oid, type, value }] : [];
  });

/** Names of attributes that CSRs may contain but certificates of this CA never do (RFC 4519, X.520). */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ["2.5.4.4", "SN"],
  ["2.5.4.9", "street"],
  ["2.5.4.12", "title"],
  ["2.5.4.17", "postalCode"],
  ["2.5.4.42", "givenName"],
  ["2.5.4.97", "organizationIdentifier"],
  ["0.9.2342.19200300.100.1.25", "DC"],
]);

/** Returns the attributes that certificates of this CA never contain, for example `title = Dr`. */
export const surplusAttributes = (attributes: readonly NameAttribute[]): string[] =>
  attributes
    .filter(({ oid }) => ATTRIBUTE_TYPES.every((known) => known.oid !== oid))
    .map(({ oid, type, value }) => `${OTHER_TYPES.get(oid) ?? type} = ${value}`);

/** Returns the name on one line in the format of RFC 4514 (`CN=…, O=…, C=…`), most specific attribute first. */
export function formatName(attributes: readonly NameAttribute[]): string {
  const escape = (value: string): string => value.replace(/[,+"\\<>;]|^[ #]| $/g, "\\$&");
  return attributes
    .toReversed()
    .map(({ type, value }) => `${type}=${escape(value)}`)
    .join(", ");
}

/** Returns the short name of a field for messages: `CN`, `serialNumber`, … */
export const attributeTypeOf = (field: SubjectField): string =>
  ATTRIBUTE_TYPES.find((candidate) => candidate.field === field)?.type ?? field;
