import { OID } from "~/ca/oids.server";
import { element, integer, sequence, utf8String } from "../../support/der";
import { nameOf } from "../csr-forging";
import { type BadCsr, type Forging, hex } from "./common";

export function subjects({ forge }: Forging): BadCsr[] {
  const withName = (value: Uint8Array | string, oid: string = OID.commonName) =>
    forge({ subject: nameOf({ oid, value }) });
  const twice = nameOf({ oid: OID.commonName, value: "A" }, { oid: OID.commonName, value: "B" });
  const utf16 = (text: string) => element(0x1e, Buffer.from(text, "utf16le").swap16());
  return [
    ["an empty subject", "subject-required", /common name \(CN\) is missing/, forge({ subject: sequence() })],
    ["a number as common name", "malformed", /subject.*no text/, withName(integer(7))],
    ["a list as common name", "malformed", /subject/, withName(sequence(utf8String("a")))],
    ["broken UTF-8", "malformed", /subject.*broken encoding/, withName(element(0x0c, hex("41ff42")))],
    ["overlong UTF-8", "malformed", /subject.*broken encoding/, withName(element(0x0c, hex("c0af")))],
    ["UTF-16 of an odd length", "malformed", /text of a wrong length/, withName(element(0x1e, hex("004100")))],
    ["half of a surrogate pair", "malformed", /subject.*broken encoding/, withName(element(0x1e, hex("0041d83d")))],
    [
      "UTF-32 of a length that is no multiple of 4",
      "malformed",
      /text of a wrong length/,
      withName(element(0x1c, hex("0000004100"))),
    ],
    ["UTF-32 beyond Unicode", "malformed", /subject/, withName(element(0x1c, hex("00110000")))],
    ["NUL in UTF-16", "subject-characters", /common name \(CN\) holds control/, withName(utf16("acme\0.evil"))],
    [
      "NUL in UTF-8",
      "subject-characters",
      /organisation \(O\) holds control/,
      withName("Acme\0", OID.organizationName),
    ],
    ["a direction override", "subject-characters", /common name/, withName("acme\u202egpj")],
    ["a Cyrillic letter in a Latin word", "subject-scripts", /common name \(CN\) mixes/, withName("\u0430cme.example")],
    [
      "a Greek letter in a Latin word",
      "subject-scripts",
      /organisation \(O\) mixes/,
      withName("Acm\u03b5 Parts", OID.organizationName),
    ],
    [
      "a host name in Cyrillic under a Latin domain",
      "subject-scripts",
      /common name/,
      withName("\u0430\u0441\u043c\u0435.example"),
    ],
    ["a host name whose Punycode mixes scripts", "subject-scripts", /common name/, withName("xn--pple-43d.example")],
    ["two common names", "subject-repeated", /common name \(CN\) is stated more than once/, forge({ subject: twice })],
  ];
}
