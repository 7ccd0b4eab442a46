import { toPem } from "~/ca/pem.server";
import { element, integer, members, nullValue, sequence, set, utf8String } from "../../support/der";
import { type BadCsr, type Forging, customAttribute, hex, nested, part } from "./common";

/** Returns the element with its length encoded in this many octets. */
function longForm(der: Uint8Array, octets: number): Uint8Array {
  const { length } = members(der).reduce((all, member) => Buffer.concat([all, member]), Buffer.alloc(0));
  const header = Buffer.alloc(octets);
  header.writeUIntBE(length, octets - Math.min(octets, 6), Math.min(octets, 6));
  return Buffer.concat([der.subarray(0, 1), Uint8Array.of(0x80 | octets), header, der.subarray(der.length - length)]);
}

const indefinite = (der: Uint8Array): Uint8Array => Buffer.concat([hex("3080"), ...members(der), hex("0000")]);

export function encodings({ forge }: Forging): BadCsr[] {
  const sound = forge();
  const [info, ...signature] = members(sound);
  const [version, subject, spki, attributes] = members(part(info));
  const rebuilt = (...parts: (Uint8Array | undefined)[]) => sequence(sequence(...parts.map(part)), ...signature);
  const long = (member: Uint8Array | undefined, octets: number) => longForm(part(member), octets);
  return [
    ["an indefinite length", "not-a-csr", /not a certificate signing request/, indefinite(sound)],
    [
      "an indefinite length inside",
      "malformed",
      /encoding.*length/,
      rebuilt(version, indefinite(part(subject)), spki, attributes),
    ],
    [
      "a length in more octets than needed",
      "malformed",
      /encoding.*shortest/,
      rebuilt(version, long(subject, 3), spki, attributes),
    ],
    [
      "a length of four octets",
      "malformed",
      /encoding.*shortest/,
      rebuilt(version, long(subject, 4), spki, attributes),
    ],
    ["an inner length that is too long", "malformed", /encoding/, Buffer.from(sound).fill(0xff, 9, 10)],
    [
      "an inner length that is too short",
      "malformed",
      /encoding|structure/,
      rebuilt(version, hex("300031003100"), spki, attributes),
    ],
    ["a length beyond 2 GB", "not-a-csr", /not a certificate/, Buffer.concat([hex("3084ffffffff"), sound])],
    [
      "a tag of several octets",
      "malformed",
      /encoding.*multi-byte tag/,
      forge({ attributes: [customAttribute(hex("1f8101020304"))] }),
    ],
    [
      "a string in pieces",
      "malformed",
      /encoding.*pieces/,
      forge({ attributes: [customAttribute(hex("2403040161"))] }),
    ],
    ["an empty time", "malformed", /encoding/, forge({ attributes: [customAttribute(hex("1800"))] })],
    ["an empty number", "malformed", /encoding|structure/, forge({ version: hex("0200") })],
    ["a number with padding", "malformed", /number.*shortest/, forge({ version: hex("02020000") })],
    ["a truth value that is neither", "malformed", /encoding/, forge({ attributes: [customAttribute(hex("010103"))] })],
    ["version 2", "malformed", /structure.*version/, forge({ version: integer(1) })],
    ["version −1", "malformed", /structure/, forge({ version: integer(-1) })],
    ["a version of 100 digits", "malformed", /structure.*version/, forge({ version: integer(10n ** 100n) })],
    ["a fifth member", "malformed", /structure.*members/, rebuilt(version, subject, spki, attributes, nullValue())],
    ["attributes without their tag", "malformed", /structure.*attributes/, rebuilt(version, subject, spki, sequence())],
    ["a fourth part", "not-a-csr", /not a certificate/, sequence(part(info), ...signature, nullValue())],
    ["60 levels", "malformed", /encoding.*nested too deep/, forge({ attributes: [customAttribute(nested(60))] })],
    ["5000 levels", "malformed", /encoding.*nested too deep/, forge({ attributes: [customAttribute(nested(5000))] })],
    [
      "3000 elements",
      "malformed",
      /encoding.*too many elements/,
      forge({ attributes: [customAttribute(sequence(...Array<Uint8Array>(3000).fill(nullValue())))] }),
    ],
    ["bytes after it", "trailing", /follows after/, Buffer.concat([sound, hex("00")])],
    ["another CSR after it", "trailing", /follows after/, Buffer.concat([sound, sound])],
    [
      "bytes after it within PEM",
      "trailing",
      /follows after/,
      toPem("CERTIFICATE REQUEST", Buffer.concat([sound, hex("0500")])),
    ],
  ];
}

export function identifiers({ forge }: Forging): BadCsr[] {
  const withType = (type: Uint8Array) => forge({ attributes: [customAttribute(nullValue(), type)] });
  const inSubject = (type: Uint8Array) => forge({ subject: sequence(set(sequence(type, utf8String("x")))) });
  return [
    [
      "an identifier of 65 octets",
      "malformed",
      /encoding.*object identifier/,
      withType(element(0x06, Buffer.alloc(65, 0x01))),
    ],
    ["an identifier of 10 KB", "malformed", /encoding/, withType(element(0x06, Buffer.alloc(10_000, 0x81)))],
    ["an identifier without octets", "malformed", /encoding/, withType(hex("0600"))],
    ["an identifier that does not end", "malformed", /encoding/, inSubject(hex("06032a8680"))],
    ["an identifier with padding", "malformed", /encoding/, inSubject(hex("06042a800101"))],
  ];
}
