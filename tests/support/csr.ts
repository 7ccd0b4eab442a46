import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import * as asn1js from "asn1js";
import { OID } from "~/ca/oids.server";
import { toPem } from "~/ca/pem.server";
import {
  bitString,
  context,
  contextTag,
  element,
  integer,
  nullValue,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utf8String,
} from "./der";

/** The contents of a CSR, in OpenSSL's notation. */
export interface CsrContent {
  /** As for OpenSSL's -subj: `/C=DE/O=Acme/CN=…`. */
  subject: string;
  /** As for OpenSSL's subjectAltName: `DNS:a.example`, `IP:10.0.0.1`, `email:…`, `URI:…`. */
  san: readonly string[];
  digest: string;
  /** A private RSA or EC key as PEM. */
  key: string;
}

const printable = (value: string) => new Uint8Array(new asn1js.PrintableString({ value }).toBER());
const ia5 = (value: string) => new Uint8Array(new asn1js.IA5String({ value }).toBER());

/** OpenSSL's short names of subject attributes, with the string types that it uses for them with -utf8. */
const ATTRIBUTES: Record<string, [oid: string, encode: (value: string) => Uint8Array]> = {
  C: [OID.countryName, printable],
  ST: [OID.stateOrProvinceName, utf8String],
  L: [OID.localityName, utf8String],
  O: [OID.organizationName, utf8String],
  OU: [OID.organizationalUnitName, utf8String],
  CN: [OID.commonName, utf8String],
  serialNumber: [OID.serialNumber, printable],
  emailAddress: [OID.emailAddress, ia5],
  DC: ["0.9.2342.19200300.100.1.25", ia5],
  businessCategory: ["2.5.4.15", utf8String],
};

function nameOf(subject: string): Uint8Array {
  const parts = [...subject.matchAll(/\/(\w+)=((?:\\.|[^/\\])*)/g)];
  if (parts.map(([part]) => part).join("") !== subject) throw new Error(`'${subject}' is not a subject.`);
  return sequence(
    ...parts.map(([, name = "", value = ""]) => {
      const [oid, encode] = ATTRIBUTES[name] ?? [];
      if (!oid || !encode) throw new Error(`The tests write no subject attribute '${name}'.`);
      return set(sequence(objectIdentifier(oid), encode(value.replace(/\\(.)/g, "$1"))));
    }),
  );
}

/** Returns the 16 octets of an IPv6 address. */
function ipv6(address: string): Uint8Array {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const missing = 8 - groups(head).length - groups(tail ?? "").length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail ?? "")];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

const GENERAL_NAMES: Record<string, (value: string) => Uint8Array> = {
  email: (value) => element(contextTag(1), Buffer.from(value, "ascii")),
  DNS: (value) => element(contextTag(2), Buffer.from(value, "ascii")),
  URI: (value) => element(contextTag(6), Buffer.from(value, "ascii")),
  IP: (value) => element(contextTag(7), isIPv4(value) ? Uint8Array.from(value.split("."), Number) : ipv6(value)),
};

function generalName(text: string): Uint8Array {
  const [, type = "", value = ""] = /^(\w+):(.*)$/s.exec(text) ?? [];
  const encode = GENERAL_NAMES[type];
  if (!encode) throw new Error(`The tests write no alternative name '${text}'.`);
  return encode(value);
}

export const extensionOf = (oid: string, value: Uint8Array): Uint8Array =>
  sequence(objectIdentifier(oid), octetString(value));

/** Returns an extension request attribute (RFC 2985 §5.4.2) with these values, each of which is a list of extensions. */
export const extensionRequest = (...values: Uint8Array[][]): Uint8Array =>
  sequence(objectIdentifier(OID.extensionRequest), set(...values.map((extensions) => sequence(...extensions))));

export const altNames = (...names: Uint8Array[]): Uint8Array => extensionOf(OID.subjectAltName, sequence(...names));

/** The AlgorithmIdentifiers of signatures, by type of key and digest. */
const SIGNATURES: Record<string, Uint8Array> = {
  "rsa sha1": sequence(objectIdentifier("1.2.840.113549.1.1.5"), nullValue()),
  "rsa sha256": sequence(objectIdentifier("1.2.840.113549.1.1.11"), nullValue()),
  "rsa sha384": sequence(objectIdentifier("1.2.840.113549.1.1.12"), nullValue()),
  "rsa sha512": sequence(objectIdentifier("1.2.840.113549.1.1.13"), nullValue()),
  "ec sha256": sequence(objectIdentifier("1.2.840.10045.4.3.2")),
  "ec sha384": sequence(objectIdentifier("1.2.840.10045.4.3.3")),
  "ec sha512": sequence(objectIdentifier("1.2.840.10045.4.3.4")),
};

const signatureOf = (key: KeyObject, digest: string) => SIGNATURES[`${key.asymmetricKeyType} ${digest}`];

/** Returns whether `signCsr` can write the CSR. OpenSSL can write more kinds. */
export const isWritable = ({ san, digest, key }: Omit<CsrContent, "subject">): boolean =>
  san.every((name) => (name.split(":")[0] ?? "") in GENERAL_NAMES) &&
  signatureOf(createPrivateKey(key), digest) !== undefined;

/** Returns a CSR (PKCS #10, RFC 2986) as `openssl req -new -utf8` creates it, without starting processes. */
export function signCsr({ subject, san, digest, key }: CsrContent): { der: Uint8Array; pem: string } {
  const privateKey = createPrivateKey(key);
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const attributes = san.length > 0 ? [extensionRequest([altNames(...san.map(generalName))])] : [];
  const info = sequence(integer(0), nameOf(subject), spki, context(0, ...attributes));
  const signature = sign(digest, info, privateKey);
  const algorithm = signatureOf(privateKey, digest);
  if (!algorithm)
    throw new Error(`The tests sign no CSR with ${digest} and a key of type ${privateKey.asymmetricKeyType}.`);
  const der = sequence(info, algorithm, bitString(signature));
  return { der, pem: toPem("CERTIFICATE REQUEST", der) };
}
