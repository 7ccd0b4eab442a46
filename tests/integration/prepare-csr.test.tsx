import { describe, expect, test } from "vitest";
import { PREPARATION_FIELDS } from "~/domain/certificates/request/preparation/preparation-fields";
import { readPreparation } from "~/domain/certificates/request/preparation/preparation.service.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as page from "~/routes/_public.prepare-csr";
import { loader as fileLoader } from "~/routes/prepare-csr.request[.]cnf";
import { select, summaryOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { COMPLETE, PLAIN } from "../support/preparation";
import { openPage } from "../support/route-page";
import { anonymous, run } from "../support/visitor";

usePortal();

const query = (fields: Record<string, string>) => new URLSearchParams(fields);
const addressOf = (fields: Record<string, string>) => paths.prepareCsr(fields);

describe("the page to prepare a CSR", () => {
  const open = async (fields: Record<string, string>) =>
    (await openPage(page, await anonymous(), addressOf(fields))).html;

  test("[PUR-03] at first shows the form with its defaults, no message and no command", async () => {
    const html = await open({});
    const form = select(html, 'form[method="get"][action="/prepare-csr"]');
    expect(form.length).toBe(1);
    for (const name of PREPARATION_FIELDS) expect(form.find(`[name="${name}"]`).length).toBe(1);
    expect(form.find('[name="keySize"] > option[selected]').val()).toBe("3072");
    for (const words of ["openssl genpkey", "keytool -", "There is a problem"]) expect(html).not.toContain(words);
    expect(select(html, 'input[type="password"]').length).toBe(0);
  });

  test("[PUR-03] shows commands, a link to the file for the same details, and the typed values", async () => {
    const fields = COMPLETE;
    const html = await open(fields);
    expect(html).toContain("openssl genpkey");
    expect(html).toContain("keytool -genkeypair");
    const file = rarePaths.prepareCsrFile(readPreparation(query(fields)).values);
    expect(select(html, `a[href="${file}"]`).length).toBe(1);
    expect(valueOf(html, "commonName")).toBe(fields.commonName);
    expect(valueOf(html, "oftpid")).toBe(fields.oftpid);
  });

  test("[PUR-03] has passphrase fields without name and form, so that they cannot be sent", async () => {
    const html = await open(PLAIN);
    const passwords = select(html, 'input[type="password"]');
    expect(passwords.length).toBe(2);
    expect(passwords.filter("[name], [form]").length).toBe(0);
    expect(passwords.closest("form").length).toBe(0);
  });

  const long = (length: number) => "x".repeat(length);
  test.each([
    ["commonName", "", "Common name: This field is required."],
    ["commonName", "   ", "Common name: This field is required."],
    ["commonName", long(65), "Common name: At most 64 characters are allowed."],
    ["organisation", "", "Organisation: This field is required."],
    ["organisation", "a\u202eb", "Organisation: Control characters and invisible characters are not allowed."],
    ["organisation", "a\u0000b", "Organisation: Control characters and invisible characters are not allowed."],
    ["organisationUnit", long(65), "Organisation unit: At most 64 characters are allowed."],
    ["city", long(129), "City: At most 128 characters are allowed."],
    ["country", "", "Country: This field is required."],
    ["country", "XX", "Country: The value is not part of the collection."],
    ["email", "nobody", "Email address is not valid."],
    ["oftpid", "O0013", "Valid OFTP ID should be between 9 and 25 characters."],
    [
      "dnsNames",
      "a.example.com\n-x.example.com",
      "DNS names: '-x.example.com' is not a valid DNS name: a part begins or ends with a hyphen. Enter the name of the host, such as edi.your-company.com.",
    ],
    [
      "dnsNames",
      "a.example.com,DNS:b",
      "DNS names: 'DNS:b' is not a valid DNS name: it has a character other than letters, digits, hyphens and dots. Enter the name of the host, such as edi.your-company.com.",
    ],
    [
      "dnsNames",
      Array.from({ length: 101 }, (_, index) => `h${index}.example.com`).join(" "),
      "DNS names: At most 100 are allowed.",
    ],
    [
      "ipAddresses",
      "192.0.2.256",
      "IP addresses: '192.0.2.256' is not a valid IP address. Enter the host's DNS name, or a valid address.",
    ],
    [
      "ipAddresses",
      "https://edi.example.com/",
      "IP addresses: 'https://edi.example.com/' is a URI, not a host. Enter the host's DNS name, or a valid address.",
    ],
    [
      "dnsNames",
      "edi.example.com.",
      "DNS names: 'edi.example.com.' ends with a dot. Enter it without the dot at the end.",
    ],
    [
      "commonName",
      "localhost",
      "The common name 'localhost' is a special-use name, which no organisation can own. Enter a name that your organisation has registered.",
    ],
    ["keySize", "1024", "Key size: The value is not part of the collection."],
  ])("[PUR-03] refuses %s '%s' by field and rule and loses nothing that was typed", async (name, value, message) => {
    const fields = { ...COMPLETE, [name]: value };
    const answer = await run(page.loader, new Request(`http://portal.test${addressOf(fields)}`));
    expect(answer.status).toBe(422);
    const html = await open(fields);
    const [line = ""] = summaryOf(html);
    expect(line.endsWith(message)).toBe(true);
    expect(html).not.toContain("openssl");
    for (const kept of ["commonName", "organisation", "city", "email"].filter((field) => field !== name))
      expect(valueOf(html, kept)).toBe(COMPLETE[kept as keyof typeof COMPLETE]);
    const file = await run(fileLoader, new Request(`http://portal.test${rarePaths.prepareCsrFile(fields)}`));
    expect(file.status).toBe(404);
  });

  test.each([
    ["commonName", long(64)],
    ["city", long(128)],
    ["organisation", "🚗".repeat(64)],
    ["oftpid", "O00130001"],
    ["dnsNames", Array.from({ length: 100 }, (_, index) => `h${index}.example.com`).join("\n")],
  ])("[PUR-03] accepts %s at its limit", async (name, value) => {
    const answer = await run(page.loader, new Request(`http://portal.test${addressOf({ ...PLAIN, [name]: value })}`));
    expect(answer.status).toBe(200);
  });
});
