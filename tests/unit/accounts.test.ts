import { describe, expect, test } from "vitest";
import { hasDetailsMissing, lockMinutes, vatRequired } from "~/domain/accounts/accounts.policy";
import { newPasswordProblem } from "~/domain/accounts/new-password.server";
import { strengthProblem } from "~/domain/accounts/password-strength.server";
import { vatNumberProblem } from "~/domain/reference/vat.schema";
import { formatDate, formatDateTime, addYears } from "~/lib/dates";
import { isEmail } from "~/lib/fields";
import { formatEuro, vatOn } from "~/lib/money";

test("[LOG-03] each lock lasts longer than the one before, up to a day", () => {
  expect([1, 2, 3, 4, 20].map(lockMinutes)).toEqual([15, 30, 60, 120, 1440]);
});

test("[LOG-06] details are missing until the number and both addresses are saved; staff who order nothing need none", () => {
  const complete = {
    isApplicant: true,
    role: "owner" as const,
    companyRegistrationNumber: "1",
    companyAddressId: 1,
    invoicingAddressId: 2,
  };
  expect(hasDetailsMissing(complete)).toBe(false);
  for (const gap of ["companyRegistrationNumber", "companyAddressId", "invoicingAddressId"])
    expect(hasDetailsMissing({ ...complete, [gap]: null })).toBe(true);
  expect(hasDetailsMissing({ ...complete, role: "purchaser", companyAddressId: null })).toBe(false);
  expect(
    hasDetailsMissing({
      isApplicant: false,
      role: "owner",
      companyRegistrationNumber: null,
      companyAddressId: null,
      invoicingAddressId: null,
    }),
  ).toBe(false);
});

describe("VAT numbers", () => {
  const country = (iso: string, euMember = false) => ({ iso, euMember });
  test.each([
    ["DE 123456789", country("DE", true), null],
    ["de123456789", country("DE", true), null],
    ["EL123456789", country("GR", true), null],
    ["GR123456789", country("GR", true), "The specified VAT number is not valid."],
    ["XI123456789", country("GB"), null],
    ["GB123456789", country("GB"), null],
    ["CHE-123.456.789", country("CH"), "The specified VAT number is not valid."],
    ["CHE123.456.789", country("CH"), null],
    ["CH1", country("CH"), "The specified VAT number is not valid."],
    ["", country("DE", true), "Please insert a VAT number."],
    ["", country("US"), null],
    ["US-12", country("US"), "The specified VAT number is not valid."],
    ["NO123456789MVA", country("NO"), null],
    ["DE123456789", country("US"), "The specified VAT number is not valid."],
    ["EL123456789", country("CH"), "The specified VAT number is not valid."],
    ["FR12345678901", country("MC"), null],
    ["GB123456789", country("IM"), null],
  ])("[CRD-03] validates '%s' in %o", (value, at, problem) => {
    expect(vatNumberProblem(value, at)).toBe(problem);
  });

  test("[CRD-02] are mandatory in the EU and the UK", () => {
    expect([country("DE", true), country("GB"), country("CH")].map(vatRequired)).toEqual([true, true, false]);
  });
});

test("[REG-01] a password of the portal's own names and the words of its field is refused", async () => {
  const isRefused = async (password: string) => (await newPasswordProblem(password, [])) !== null;
  for (const password of ["Supply-Chain-CA", "ExampleAssociation1", "Odette-OFTP2!", "OFTP2certificate", "marqueoftp2"])
    expect({ password, isRefused: await isRefused(password) }).toEqual({ password, isRefused: true });
});

describe("[REG-01] passwords that are easy to guess", () => {
  const own = ["Max", "Muster", "Muster GmbH", "max.muster@muster.example"];
  test.each([
    ["aaaaaaaa", "Repeated"],
    ["Password123!", "commonly used"],
    ["Password2026!", "commonly used"],
    ["P@ssw0rd2026!", "commonly used"],
    ["Sommer2026!", "Choose a longer one"],
    ["Muster2026", "your own data"],
    ["Muster2026!", "your own data"],
    ["gmbh-muster", "Choose a longer one"],
    ["chief@ca", "Choose a longer one"],
    ["password", "heavily used"],
    ["qwertzuiop", "keys"],
  ])("[REG-01] %s: %s", async (password, reason) => {
    const problem = await strengthProblem(password, own);
    expect(problem).toMatch(/^This password is too easy to guess\. .*Choose a longer one, for example four words/);
    expect(problem).toContain(reason);
  });

  test.each(["correct horse battery", "an administrator's password", "a brand new passphrase", "9f2Kq-7vLx_pW3"])(
    "[REG-01] %s is accepted",
    async (password) => expect(await strengthProblem(password, own)).toBeNull(),
  );
});

test("[REG-01] an email has a local part and a domain or an IP literal", () => {
  for (const good of ["a@b.de", "first.last+tag@mail.example.co.uk", "edi@[192.0.2.1]"])
    expect(isEmail(good)).toBe(true);
  for (const bad of ["a", "a@b", "@b.de", "a b@c.de", "a..b@c.de", ".a@c.de", "a@-b.de", "a@b.de\nBcc: x@y.de"])
    expect(isEmail(bad)).toBe(false);
});

test("[GEN-01] euros have two decimals, dates are dd/MM/yyyy, the null date is blank", () => {
  expect(formatEuro(123456)).toBe("€1,234.56");
  expect(formatDate("2026-11-05T23:59:59.000Z")).toBe("05/11/2026");
  expect(formatDateTime("2026-11-05T23:59:59.000Z")).toBe("05/11/2026 23:59:59");
  expect([formatDate(null), formatDate("0001-01-01T00:00:00"), formatDateTime(null)]).toEqual(["", "", ""]);
});

test("[PUR-09] VAT is rounded half up once", () => {
  expect([vatOn(29000, 0.2), vatOn(3, 0.2), vatOn(12, 0.2), vatOn(13, 0.2), vatOn(250, 0.175)]).toEqual([
    5800, 1, 2, 3, 44,
  ]);
});

test("[CER-09] adding whole years turns 29 February into the 28th", () => {
  expect(addYears(new Date("2028-02-29T10:00:00Z"), 1).toISOString()).toBe("2029-02-28T10:00:00.000Z");
  expect(addYears(new Date("2026-11-21T10:00:00Z"), 4).toISOString()).toBe("2030-11-21T10:00:00.000Z");
});
