import { describe, expect, test } from "vitest";
import { checkCsr } from "~/ca/csr/check.server";
import { readCsr } from "~/ca/csr/read.server";
import { OID } from "~/ca/oids.server";
import { contextTag, element, integer, objectIdentifier, sequence, set, utf8String } from "../support/der";
import { badCsrs } from "./bad-csrs";
import { customAttribute, nested } from "./bad-csrs/common";
import { nameOf, useForgedCsrs, withEc } from "./csr-forging";

const forging = useForgedCsrs();
const { codes, forge } = forging;

/** Returns all problems that are reported for an input. */
function verdict(input: string | Uint8Array): { code: string; message: string }[] {
  const read = readCsr(input);
  return read.ok ? checkCsr(read.csr, { ...withEc, keyAlgorithms: ["RSA"] }) : [read];
}

describe("[PUR-11] the corpus of bad CSRs", () => {
  test.each(badCsrs(forging))("[PUR-11] %s: refused with %s, %s", (_, code, names, input) => {
    const said = verdict(input);
    expect([...new Set(said.map((refusal) => refusal.code))]).toEqual([code]);
    const [{ message = "" } = {}] = said;
    expect(message).toMatch(names);
    expect(message).toMatch(/^[A-Z].{20,400}\.$/);
  });
});

describe("[PUR-03] unusual but correct CSRs", () => {
  const withName = (value: Uint8Array | string, oid: string = OID.commonName) =>
    forge({ subject: nameOf({ oid, value }) });
  const utf16 = (text: string) => element(0x1e, Buffer.from(text, "utf16le").swap16());
  const utf32 = (text: string) =>
    element(0x1c, ...[...text].map((char) => Buffer.from([0, 0, char.charCodeAt(0) >> 8, char.charCodeAt(0) & 0xff])));

  test.each<[string, string, Uint8Array]>([
    ["BMPString", "Müller 東京", withName(utf16("Müller 東京"))],
    ["UniversalString", "Müller 東京", withName(utf32("Müller 東京"))],
    ["TeletexString", "Müller", withName(element(0x14, Buffer.from("Müller", "latin1")))],
    ["words of several scripts", "Завод Acme", withName("Завод Acme")],
    ["Japanese with Latin letters", "日本OFTPセンター", withName("日本OFTPセンター")],
    ["a host name in one script", "завод.рф", withName("завод.рф")],
    ["a unit", "10 µm Acme", withName("10 µm Acme")],
  ])("[PUR-03] %s", (_, text, der) => {
    const read = readCsr(der);
    expect(read).toMatchObject({ ok: true, csr: { subject: { commonName: text } } });
    expect(codes(der)).toEqual([]);
  });

  test("[PUR-03] accepts a Punycode name of one script, attributes in one set, other attributes, and white space after the DER", () => {
    expect(codes(forge({ names: [element(contextTag(2), Buffer.from("xn--mnchen-3ya.example"))] }))).toEqual([]);
    const attribute = (oid: string, text: string) => sequence(objectIdentifier(oid), utf8String(text));
    const set3 = set(
      attribute(OID.commonName, "a"),
      attribute(OID.countryName, "DE"),
      attribute(OID.organizationName, "b"),
    );
    expect(codes(forge({ subject: sequence(set3) }))).toEqual([]);
    const challenge = customAttribute(utf8String("secret"), objectIdentifier("1.2.840.113549.1.9.7"));
    expect(codes(forge({ attributes: [challenge, customAttribute(integer(1))] }))).toEqual([]);
    expect(codes(Buffer.concat([forge(), Buffer.from(" \r\n")]))).toEqual([]);
  });
});

describe("[PUR-11] limits on the size of a CSR", () => {
  const withAttribute = (value: Uint8Array) => readCsr(forge({ attributes: [customAttribute(value)] }));

  test("[PUR-11] 64 KB are accepted, one more byte is refused", () => {
    const der = forge();
    const filled = (length: number) => readCsr(Buffer.concat([der, Buffer.alloc(length - der.length, " ")]));
    expect(filled(64 * 1024).ok).toBe(true);
    expect(filled(64 * 1024 + 1)).toMatchObject({ code: "too-large" });
  });

  test("[PUR-11] 50 levels of nesting and 2000 elements are accepted, one more of each is refused", () => {
    // The value of an attribute is at the fourth level. The CSR has 29 elements besides the 1970 and their list.
    expect([withAttribute(nested(46)).ok, withAttribute(nested(47)).ok]).toEqual([true, false]);
    const many = (count: number) => withAttribute(sequence(...Array<Uint8Array>(count).fill(integer(1)))).ok;
    expect([many(1970), many(1971)]).toEqual([true, false]);
  });

  test("[PUR-11] an object identifier of 64 octets is accepted, one of 65 is refused", () => {
    const identifier = (octets: number) => customAttribute(integer(1), element(0x06, Buffer.alloc(octets, 0x01)));
    expect(readCsr(forge({ attributes: [identifier(64)] })).ok).toBe(true);
    expect(readCsr(forge({ attributes: [identifier(65)] }))).toMatchObject({ code: "malformed" });
  });

  test("[PUR-11] 1000 names are accepted, 1001 are refused", () => {
    const names = (count: number) =>
      readCsr(forge({ names: Array<Uint8Array>(count).fill(element(contextTag(2), Buffer.from("a"))) }));
    const read = names(1000);
    expect(read.ok && read.csr.subjectAlternateName.length).toBe(1000);
    expect(names(1001)).toMatchObject({ code: "too-many" });
  });
});
