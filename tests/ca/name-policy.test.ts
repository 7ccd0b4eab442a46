import { describe, expect, test } from "vitest";
import { checkNames } from "~/ca/csr/check-names.server";
import { checkSubjectHosts, classOfHost } from "~/ca/names/name-policy.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { NAME_CLASS_NAMES } from "~/lib/name-classes";

const NONE = { allowedNames: [] };
const judged = (type: AlternateName["type"], value: string, policy = NONE) => checkNames([{ type, value }], policy);
const message = (type: AlternateName["type"], value: string) => judged(type, value).map((refusal) => refusal.message);
const codes = (type: AlternateName["type"], value: string) => judged(type, value).map(({ code }) => code);

const NAMES: [string, string[]][] = [
  ["special-use", ["localhost", "a.localhost", "A.INVALID", "abc.onion", "x.alt", "1.0.10.in-addr.arpa"]],
  ["internal", ["printer.local", "srv.internal", "nas.home.arpa", "srv.lan", "mail.corp", "*.srv.intranet"]],
  ["single-label", ["intranet", "MAIL", "com"]],
  ["public-suffix", ["co.uk", "*.co.uk", "github.io", "*.GitHub.io", "xn--55qx5d.cn"]],
  ["documentation", ["a.example", "example.com", "www.example.ORG", "x.test", "192.0.2.7", "2001:db8::1", "3fff::1"]],
  ["private-address", ["10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1"]],
  [
    "special-address",
    ["127.0.0.1", "::1", "0.0.0.0", "::", "169.254.1.1", "fe80::1", "224.0.0.1", "ff02::1", "255.255.255.255"],
  ],
  ["special-address", ["::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1"]],
];

const ORDINARY = [
  "www.google.com",
  "*.acme.co.uk",
  "acme.github.io",
  "oftp.xn--mnchen-3ya.de",
  "localhost.acme.com",
  "8.8.8.8",
  "::ffff:8.8.8.8",
  "172.32.0.1",
  "2606:4700::1111",
];

describe("[PUR-11] the policy of names", () => {
  test.each(NAMES)("[PUR-11] %s: %j", (name, hosts) => {
    expect(hosts.map((host) => [host, classOfHost(host)])).toEqual(hosts.map((host) => [host, name]));
  });

  test.each(ORDINARY)("[PUR-11] %s is a name that an organisation can own", (host) =>
    expect(classOfHost(host)).toBeNull(),
  );

  test("[PUR-11] a refusal names the value, what is wrong with it and what to do", () => {
    expect(message("dns", "intranet")).toEqual([
      "Alternative names: the DNS name 'intranet' is a single label, which can mean another host in every network. Create the CSR again with the full name of the host, such as edi.your-company.com.",
    ]);
    expect(message("ip", "127.0.0.1")).toEqual([
      "Alternative names: the IP address '127.0.0.1' is a special-purpose address, which does not belong to one host on the internet. Create the CSR again with the host's DNS name, or its public address.",
    ]);
  });

  test("[PUR-11] the domain of a mailbox and the host of a URI are judged, too", () => {
    expect(codes("rfc822", "edi@srv.internal")).toEqual(["name-internal"]);
    expect(codes("rfc822", "edi@intranet")).toEqual(["name-single-label"]);
    expect(codes("rfc822", "edi@acme.com")).toEqual([]);
    expect(codes("rfc822", "edi@xn--zzzzzz99999.com")).toEqual(["rfc822-invalid"]);
    expect(codes("uri", "https://localhost:8443/x")).toEqual(["name-special-use"]);
    expect(codes("uri", "ldap://[::1]/x")).toEqual(["name-special-address"]);
    expect(codes("uri", "https://0x7f.1/")).toEqual(["name-special-address"]);
    expect(codes("uri", "https://acme.com/x")).toEqual([]);
    expect(codes("uri", "urn:acme:station")).toEqual([]);
  });

  test.each([
    "https:www.google.com",
    "http:127.0.0.1/",
    "https:/localhost/x",
    "https:///x",
    "https://www.google.com\\@acme.com/",
    "https://acme.com@www.google.com/",
    "https://%6cocalhost/",
    "https://acme.com/<x>",
    "ldap:///o=acme",
    "urn:acme",
  ])("[PUR-11] the URI '%s' is refused: programs could see another host in it, or none", (value) => {
    expect(codes("uri", value)).toEqual(["uri-invalid"]);
  });

  test.each(NAMES)("[PUR-11] %s can be allowed by its name alone: %j", (name, hosts) => {
    const type = (host: string) => (/^[\d.]+$|:/.test(host) ? "ip" : "dns");
    const [allowed, others] = [
      NAME_CLASS_NAMES.filter((one) => one === name),
      NAME_CLASS_NAMES.filter((one) => one !== name),
    ];
    for (const host of hosts.filter((one) => !one.startsWith("*"))) {
      expect(checkNames([{ type: type(host), value: host }], { allowedNames: allowed })).toEqual([]);
      expect(checkNames([{ type: type(host), value: host }], { allowedNames: others })).toHaveLength(1);
    }
  });

  test.each<[string, string[]]>([
    ["localhost", ["name-special-use"]],
    ["127.0.0.1", ["name-special-address"]],
    ["srv.internal", ["name-internal"]],
    ["*.co.uk", ["name-public-suffix"]],
    ["oftp.müller.test", ["name-documentation"]],
    ["oftp.müller.de", []],
    ["localhost.", ["name-special-use"]],
    ["server.local.", ["name-internal"]],
    ["127.0.0.1.", ["name-special-address"]],
    ["127.0.0.1:6619", ["name-special-address"]],
    ["[::1]:6619", ["name-special-address"]],
    ["server.local:6619", ["name-internal"]],
    ["https://localhost:6619/oftp", ["name-special-use"]],
    ["https://2130706433/", ["name-special-address"]],
    ["oftp://edi@server.local", ["name-internal"]],
    ["edi@localhost", ["name-special-use"]],
    ["server.local / EDI", ["name-internal"]],
    ["EDI (10.0.0.1)", ["name-private-address"]],
    ["CN=server.local", ["name-internal"]],
    ["EDI_server.local", ["name-internal"]],
    ["server.local!", ["name-internal"]],
    ["server.local\uff0fEDI", ["name-internal"]],
    ["mailto:edi@server.local", ["name-internal"]],
    ["foo.*.bauer.de", ["dns-wildcard"]],
    ["*.de", ["dns-wildcard"]],
    ["xn--zzzzzz99999.com", ["dns-punycode"]],
    ["oftp.müller.de.", ["dns-trailing-dot"]],
    ["edi.zf.com.", ["dns-trailing-dot"]],
    ["0177.0.0.1", ["name-special-address"]],
    ["Station localhost", ["name-special-use"]],
    ["srv\u3002local", ["name-internal"]],
    ["srv .local", ["name-internal"]],
    ["2130706433", []],
    ["Dr.Ing. Maier", []],
    ["Grupo S.A.de C.V.", []],
    ["https://www.google.com", []],
    ["Acme", []],
    ["Local", []],
    ["4711", []],
    ["Local EDI 2.0.1", []],
    ["Müller GmbH & Co.KG", []],
    ["Müller&Co.KG", []],
    ["a_b", []],
    ["Rossi S.r.l.", []],
    ["St.Gallen 5* Station", []],
    ["OFTP station 3", []],
    ["", []],
  ])("[PUR-11] the common name '%s'", (commonName, expected) => {
    expect(checkSubjectHosts({ commonName }, NONE).map(({ code }) => code)).toEqual(expected);
  });

  test("[PUR-11] the domain of the subject's email address", () => {
    expect(checkSubjectHosts({ email: "edi@nas.local" }, NONE).map(({ code }) => code)).toEqual(["name-internal"]);
    expect(checkSubjectHosts({ email: "edi@acme.com" }, NONE)).toEqual([]);
  });
});

describe("[PUR-11] the form of DNS names", () => {
  const [label63, label64] = ["a".repeat(63), "a".repeat(64)];
  const longest = `${`${"a".repeat(49)}.`.repeat(5)}com`;

  test.each<[string, string, RegExp]>([
    [
      "acme.com.",
      "dns-trailing-dot",
      /'acme\.com\.' ends with a dot\. Create the CSR again without the dot at the end\.$/,
    ],
    ["acme parts.com", "dns-invalid", /it has a character other than letters, digits, hyphens and dots\./],
    [`${label64}.com`, "dns-length", /has a part of 64 octets; at most 63 are allowed\./],
    [`b.${longest}`, "dns-length", /has 255 octets; at most 253 are allowed\./],
    ["a.*.acme.com", "dns-wildcard", /has a wildcard that is not its whole first part\./],
    ["*.*.acme.com", "dns-wildcard", /not its whole first part/],
    ["a*.acme.com", "dns-wildcard", /not its whole first part/],
    ["*.com", "dns-wildcard", /directly below a top-level domain/],
    ["*", "dns-wildcard", /'\*' is a wildcard without a domain\./],
    ["m\xfcnchen.de", "dns-ascii", /characters outside ASCII; a DNS name has its xn-- form, here 'xn--mnchen-3ya\.de'/],
    ["xn--zzzzzz99999.com", "dns-punycode", /has an xn-- part that cannot be decoded\./],
    ["xn--pple-43d.com", "name-scripts", /mixes letters of different scripts/],
    [
      "a_b.acme.com",
      "dns-invalid",
      /is not a valid DNS name: it has a character other than letters, digits, hyphens and dots\./,
    ],
  ])("[PUR-11] %s: %s", (value, code, text) => {
    expect(judged("dns", value)).toMatchObject([{ code, message: expect.stringMatching(text) as string }]);
  });

  test.each([`${label63}.com`, longest, "*.acme.com", "xn--mnchen-3ya.de"])("[PUR-11] %s is valid", (value) =>
    expect(judged("dns", value)).toEqual([]),
  );
});
