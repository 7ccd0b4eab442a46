import { OID } from "~/ca/oids.server";
import {
  bitString,
  context,
  element,
  integer,
  members,
  nullValue,
  objectIdentifier,
  sequence,
  utf8String,
} from "../../support/der";
import { rsaSpki } from "../csr-forging";
import { prime } from "../weak-keys";
import { type BadCsr, type Forging, hex, part } from "./common";

export function keysAndSignatures({ forge }: Forging): BadCsr[] {
  const n = prime(1024) * prime(1024);
  const withKey = (...keyMembers: Uint8Array[]) =>
    forge({
      spki: sequence(sequence(objectIdentifier(OID.rsaEncryption), nullValue()), bitString(sequence(...keyMembers))),
    });
  const pss = (...parameters: Uint8Array[]) => sequence(objectIdentifier(OID.rsassaPss), ...parameters);
  const sha256With = (...parameters: Uint8Array[]) => sequence(objectIdentifier(OID.sha256), ...parameters);
  const mgf1 = (hash: Uint8Array) => sequence(objectIdentifier(OID.mgf1), hash);
  const [info, algorithm, signature] = members(forge());
  const withSignature = (value: Uint8Array) => sequence(part(info), part(algorithm), value);
  const octets = part(signature).subarray(5);
  return [
    ["a negative exponent", "malformed", /public key.*negative/, withKey(integer(n), integer(-65537))],
    ["a negative modulus", "malformed", /public key.*negative/, withKey(integer(-n), integer(65537))],
    ["a modulus of 0", "malformed", /public key/, withKey(integer(0), integer(65537))],
    ["no exponent", "malformed", /public key/, withKey(integer(n))],
    ["a third number", "malformed", /public key/, withKey(integer(n), integer(65537), integer(1))],
    ["an exponent that is a text", "malformed", /public key/, withKey(integer(n), utf8String("65537"))],
    ["an even exponent", "key-exponent", /RSA public exponent: it must be odd/, forge({ spki: rsaSpki(n, 65538n) })],
    ["an exponent as long as the modulus", "key-exponent", /below 2\^64/, forge({ spki: rsaSpki(n, n - 2n) })],
    ["a modulus of 400,000 bits", "key-size", /400000 bits/, forge({ spki: rsaSpki((1n << 399_999n) | 1n, 65537n) })],
    [
      "a key of broken bytes",
      "malformed",
      /public key.*broken bytes/,
      forge({ spki: sequence(sequence(objectIdentifier(OID.rsaEncryption), nullValue()), hex("030407300080")) }),
    ],
    [
      "a key of no bytes",
      "malformed",
      /public key/,
      forge({ spki: sequence(sequence(objectIdentifier(OID.rsaEncryption), nullValue()), hex("030100")) }),
    ],
    [
      "a key without an algorithm",
      "malformed",
      /structure|public key/,
      forge({ spki: sequence(bitString(hex("00"))) }),
    ],
    [
      "an unknown kind of key",
      "key-algorithm",
      /type 1\.2\.3\.4,/,
      forge({ spki: sequence(sequence(objectIdentifier("1.2.3.4")), bitString(hex("00"))) }),
    ],
    [
      "an unknown signature",
      "signature-algorithm",
      /signed with 1\.2\.3\.4,/,
      forge({ algorithm: sequence(objectIdentifier("1.2.3.4")) }),
    ],
    ["RSASSA-PSS without parameters", "malformed", /signature/, forge({ algorithm: pss() })],
    [
      "RSASSA-PSS with a negative salt",
      "malformed",
      /signature/,
      forge({ algorithm: pss(sequence(context(2, integer(-1)))) }),
    ],
    ["RSASSA-PSS with parameters of another type", "malformed", /signature/, forge({ algorithm: pss(integer(1)) })],
    [
      "RSASSA-PSS with a third member in its hash",
      "malformed",
      /signature.*more than two/,
      forge({ algorithm: pss(sequence(context(0, sha256With(nullValue(), integer(1))))) }),
    ],
    [
      "RSASSA-PSS with a third member in the hash of its mask",
      "malformed",
      /signature.*more than two/,
      forge({ algorithm: pss(sequence(context(1, mgf1(sha256With(nullValue(), integer(1)))))) }),
    ],
    [
      "RSASSA-PSS with two hashes",
      "malformed",
      /signature.*two values/,
      forge({ algorithm: pss(sequence(context(0, sha256With(), sha256With()))) }),
    ],
    [
      "a signature algorithm with a third member",
      "malformed",
      /more than two/,
      forge({ algorithm: sequence(objectIdentifier(OID.rsaEncryption), nullValue(), integer(1)) }),
    ],
    [
      "a key with a third member",
      "malformed",
      /more than two/,
      forge({ spki: sequence(...members(rsaSpki(n, 65537n)), integer(1)) }),
    ],
    [
      "a key algorithm with a third member",
      "malformed",
      /more than two/,
      forge({
        spki: sequence(
          sequence(objectIdentifier(OID.rsaEncryption), nullValue(), integer(1)),
          part(members(rsaSpki(n, 65537n))[1]),
        ),
      }),
    ],
    [
      "a signature of broken bytes",
      "malformed",
      /signature.*broken bytes/,
      withSignature(element(0x03, hex("04"), octets)),
    ],
    ["an empty signature", "signature-invalid", /CSR signature/, withSignature(hex("030100"))],
    [
      "a signature with an octet in front",
      "signature-invalid",
      /CSR signature/,
      withSignature(bitString(Buffer.concat([hex("00"), octets]))),
    ],
    ["a signature that is a number", "malformed", /structure|signature/, withSignature(element(0x02, octets))],
  ];
}
