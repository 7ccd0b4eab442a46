import { OID } from "~/ca/oids.server";
import { contextTag, element, integer, nullValue, objectIdentifier, sequence, utf8String } from "../../support/der";
import { altNames, extensionOf, extensionRequest } from "../csr-forging";
import { type BadCsr, type Forging, customAttribute, dns, hex } from "./common";

export function names({ forge }: Forging): BadCsr[] {
  const asked = (...list: Uint8Array[]) => forge({ names: list });
  const requests = (...attributes: Uint8Array[]) => forge({ attributes });
  const san = altNames(dns("a.example"));
  return [
    ["NUL in a DNS name", "name-characters", /DNS name holds control/, asked(dns("a.example\0.evil.example"))],
    ["a DNS name in Latin-1", "dns-ascii", /DNS name/, asked(dns("m\xfcnchen.example"))],
    ["Punycode that is none", "dns-punycode", /'xn--zzzzzz99999.example'/, asked(dns("xn--zzzzzz99999.example"))],
    ["Punycode of look-alikes", "name-scripts", /'xn--pple-43d.example' mixes/, asked(dns("xn--pple-43d.example"))],
    ["an IP address of 5 octets", "ip-invalid", /IP address/, asked(element(contextTag(7), hex("0a00000001")))],
    ["1001 names", "too-many", /alternative names.*more than 1000/, asked(...Array<Uint8Array>(1001).fill(dns("a")))],
    ["names of 1 MB", "too-large", /64 KB/, asked(Buffer.concat(Array<Uint8Array>(70_000).fill(dns("a.example.com"))))],
    [
      "names that are no list",
      "malformed",
      /alternative names/,
      requests(extensionRequest([extensionOf(OID.subjectAltName, nullValue())])),
    ],
    [
      "names followed by bytes",
      "malformed",
      /alternative names/,
      requests(
        extensionRequest([extensionOf(OID.subjectAltName, Buffer.concat([sequence(dns("a.example")), hex("00")]))]),
      ),
    ],
    [
      "an extension request twice",
      "repeated",
      /attributes.*more than once/,
      requests(extensionRequest([san]), extensionRequest([san])),
    ],
    [
      "an extension request of two values",
      "repeated",
      /requested extensions.*more than once/,
      requests(extensionRequest([san], [])),
    ],
    [
      "two lists of names",
      "repeated",
      /requested extensions.*more than once/,
      requests(extensionRequest([san, altNames(dns("b.example"))])),
    ],
    [
      "two challenge passwords",
      "repeated",
      /attributes.*more than once/,
      requests(
        ...["a", "b"].map((text) => customAttribute(utf8String(text), objectIdentifier("1.2.840.113549.1.9.7"))),
      ),
    ],
    [
      "an extension request that is none",
      "malformed",
      /requested extensions/,
      requests(customAttribute(integer(1), objectIdentifier(OID.extensionRequest))),
    ],
  ];
}
