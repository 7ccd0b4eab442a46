import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWebAddress, resolveBelow } from "~/lib/web-address";

describe("web addresses", () => {
  test.each([
    ["https://example.org", "https://example.org"],
    ["http://example.org/a.png?x=1#y", "http://example.org"],
    ["HTTPS://Example.ORG/A.png", "https://example.org"],
    ["https://bücher.example/x", "https://xn--bcher-kva.example"],
    ["http://192.0.2.1:8080/x", "http://192.0.2.1:8080"],
    ["https://example.org/ü/{a|b}?c=(1)&d='[2]'", "https://example.org"],
    ["https://under_score.example.", "https://under_score.example."],
  ])("[MAN-01] accepts %s", (value, origin) => {
    expect(readWebAddress(value)?.origin).toBe(origin);
  });

  test.each([
    "",
    "http://",
    "https:///example.org",
    "https:example.org",
    "//example.org",
    "ftp://example.org",
    "javascript:alert(1)//http://",
    "example.org",
    " https://example.org",
    "https://exa mple.org",
    "https://*.example.org",
    "https://a;script-src",
    "https://a,b",
    "https://a'b",
    "https://[::1]/x",
    "https://user@example.org",
    "https://user:password@example.org",
    "https://:password@example.org",
    `https://${"a".repeat(254)}/`,
    "http://example.org:99999",
    "https:\\\\example.org",
    'https://example.org/"><b>',
    "https://example.org/a\\b",
    "https://example.org/`",
    "https://example.org/^",
    "https://example.org/a b",
    "https://example.org/\n",
    "https://example.org/\u200b",
    "https://example.org/\u0001",
  ])("[MAN-01] refuses '%s'", (value) => {
    expect(readWebAddress(value)).toBeNull();
  });

  test("[MAN-01] [PUB-03] an accepted address has an origin that cannot end a directive of a policy or mean another host", () => {
    const host = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), host, (scheme, name) => {
        const url = readWebAddress(`${scheme}://${name}`);
        if (url) expect(url.origin).toMatch(/^https?:\/\/[a-z\d._-]+(:\d+)?$/);
      }),
    );
  });
});

describe("targets below an endpoint", () => {
  const endpoint = "https://ca.example/app/";

  test.each([
    ["forms", "https://ca.example/app/forms"],
    ["/forms/apply.aspx", "https://ca.example/app/forms/apply.aspx"],
    ["forms/", "https://ca.example/app/forms/"],
    ["forms?id=5&next=https://other.example", "https://ca.example/app/forms?id=5&next=https://other.example"],
    ["#/orders", "https://ca.example/app/#/orders"],
    ["a b/ü", "https://ca.example/app/a%20b/%C3%BC"],
    ["a%20b", "https://ca.example/app/a%20b"],
    ["...", "https://ca.example/app/..."],
    [".well-known/x", "https://ca.example/app/.well-known/x"],
    ["a..b", "https://ca.example/app/a..b"],
    ["@other.example", "https://ca.example/app/@other.example"],
    [".other.example", "https://ca.example/app/.other.example"],
    ["/", "https://ca.example/app/"],
    ["a".repeat(2000), `https://ca.example/app/${"a".repeat(2000)}`],
  ])("[FRM-01] accepts %s", (target, address) => {
    expect(resolveBelow(endpoint, target)?.href).toBe(address);
  });

  test.each([
    "//other.example",
    "///other.example",
    "/\\other.example",
    "\\\\other.example",
    "forms\\..\\x",
    "https://other.example",
    "https:other.example",
    "HTTPS:/other.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "..",
    "../x",
    "forms/../../x",
    "forms/..",
    "./x",
    "forms/./x",
    "..;/x",
    "%2e%2e/x",
    "%2E./x",
    ".%2e",
    "forms%2f..%2f..",
    "%2fother.example",
    "%5c%5cother.example",
    "%252e%252e",
    "forms//x",
    "a\tb",
    "\nhttps://other.example",
    "forms\u0000",
    "forms%00",
    "forms%0d%0aX: y",
    "a".repeat(2001),
  ])("[FRM-01] refuses '%s'", (target) => {
    expect(resolveBelow(endpoint, target)).toBeNull();
  });

  test("[FRM-02] an accepted target stays below the endpoint, also when a browser decodes it once more", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2e",
      "%2F",
      "%5C",
      "%25",
      ":",
      "@",
      "?",
      "#",
      "a",
      "https:",
      ";",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.string({ maxLength: 4 }), (pieces, tail) => {
        const url = resolveBelow(endpoint, pieces.join("") + tail);
        if (!url) return;
        const again = new URL(url.href);
        expect(again.origin).toBe("https://ca.example");
        expect(again.pathname.startsWith("/app/")).toBe(true);
        expect(again.username + again.password).toBe("");
        expect(again.pathname).not.toMatch(/\/\/|%2e|%2f|%5c|\/\.\.?(\/|;|$)/i);
      }),
      { numRuns: 5000 },
    );
  });

  test("[FRM-01] an endpoint without a path accepts targets at its root", () => {
    expect(resolveBelow("http://codes.example:8080", "forms")?.href).toBe("http://codes.example:8080/forms");
  });
});
