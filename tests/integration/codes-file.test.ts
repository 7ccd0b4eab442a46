import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { getDb } from "~db/connection.server";
import { findCodeByName } from "~db/repositories/codes.server";
import { CONTACT_TYPES } from "~db/tables/codes";
import { codesCommand } from "../../cli/commands/codes";
import { type Account } from "../support/consolidation";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const folder = mkdtempSync(join(tmpdir(), "marque-codes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let owner: Account;
let next = 0;

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Writes a file of these rows. */
function fileOf(rows: Record<string, string>[]): string {
  const all = rows.map((row) => ({ owner: owner.username, code: "", codeType: "Full", entityName: "Plant", ...row }));
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
  const lines = all.map((row) => columns.map((name) => quoted((row as Record<string, string>)[name] ?? "")).join(","));
  const file = join(folder, `register-${(next += 1)}.csv`);
  writeFileSync(file, [columns.join(","), ...lines].join("\r\n"));
  return file;
}

/** Runs a command in this process, as `npm run portal` does. Returns what it printed. */
async function portal(...args: string[]): Promise<{ out: string; err: string }> {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const err = await codesCommand()
    .parseAsync(args, { from: "user" })
    .then(
      () => "",
      (error: Error) => error.message,
    );
  const out = print.mock.calls.map(([line]) => String(line)).join("\n");
  print.mockRestore();
  return { out, err };
}

async function emptyRegister(): Promise<void> {
  await getDb().deleteFrom("codeContacts").execute();
  await getDb().deleteFrom("codes").where("subcode", "!=", "").execute();
  await getDb().deleteFrom("codes").execute();
}

beforeEach(async () => {
  await emptyRegister();
  owner = await createUser({ company: "Register Parts Ltd" });
});

const ADDRESS = {
  "physicalAddress.addressLine1": "Domkloster 4",
  "physicalAddress.city": "Köln",
  "physicalAddress.postalCode": "50667",
  "physicalAddress.country": "de",
};

const contactsOf = (...emails: string[]) =>
  JSON.stringify(emails.map((email) => ({ contactType: "IT", firstName: "Ann", lastName: "Lee", email })));

describe("codes import", () => {
  test("[COD-10] imports codes and sub-codes in any order with all 36 symbols, and searches find them", async () => {
    const file = fileOf([
      { code: "io0z", subcode: "i0", entityName: "Werk 2", ...ADDRESS },
      { code: "IO0Z", registeredAt: "2019-05-06T07:08:09Z" },
      { code: "XIO9", codeType: "OFTP Code", status: "cancelled", owner: owner.email.toUpperCase() },
    ]);
    expect(await portal("import", "--dry-run", file)).toEqual({
      out: "Rows: 3, to be imported: 3, existing: 0. Nothing was changed.",
      err: "",
    });
    expect(await findCodeByName(getDb(), "IO0Z", "")).toBeNull();
    expect(await portal("import", file)).toEqual({ out: "Rows: 3, imported: 3, existing: 0.", err: "" });
    const parent = await findCodeByName(getDb(), "IO0Z", "");
    expect(parent).toMatchObject({
      userId: owner.id,
      status: "Registered",
      sbeCanRegister: true,
      sbeMaxNumber: 1000,
      parentId: null,
      createdAt: "2019-05-06T07:08:09.000Z",
      sortCity: "coventry",
      useCompanyAddress: true,
    });
    expect(await findCodeByName(getDb(), "IO0Z", "I0")).toMatchObject({
      parentId: parent?.id,
      sbeCanRegister: false,
      sortCity: "koln",
      countryId: 276,
      useCompanyAddress: false,
    });
    expect(await findCodeByName(getDb(), "XIO9", "")).toMatchObject({ codeType: "OFTP", status: "Cancelled" });
    const words = await getDb()
      .selectFrom("codeWords")
      .select("word")
      .where("codeId", "=", parent?.id ?? 0)
      .execute();
    expect(words.map(({ word }) => word).toSorted()).toEqual(["coventry", "ltd", "parts", "register"]);
    const audited = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("codeId", "=", parent?.id ?? 0)
      .execute();
    expect(audited).toEqual([{ message: "Imported from line 3 of a file." }]);
  });

  test("[COD-10] a second run reports existing codes and changes nothing", async () => {
    const file = fileOf([{ code: "AB12" }, { code: "AB12", subcode: "01" }]);
    await portal("import", file);
    expect(await portal("import", file)).toEqual({
      out: "line 2: the code 'AB12' exists already and stays as it is\nline 3: the code 'AB1201' exists already and stays as it is\nRows: 2, imported: 0, existing: 2.",
      err: "",
    });
    expect(await portal("import", fileOf([{ code: "AB12", subcode: "02" }]))).toMatchObject({ err: "" });
  });

  test("[COD-10] names every wrong row by line and column and imports nothing", async () => {
    await createUser({ email: "two@example-parts.com", username: "two.1" });
    await createUser({ email: "two@example-parts.com", username: "two.2" });
    const file = fileOf([
      { code: "GOOD" },
      { code: "AB1", entityName: " " },
      { code: "XB12" },
      { code: "XFT1", codeType: "OFTP" },
      { code: "XFT1", codeType: "OFTP", subcode: "01" },
      { code: "GOOD", subcode: "00" },
      { code: "GOOD", subcode: "abc" },
      { code: "GOOD", subcode: "ä1" },
      { code: "NONE", subcode: "01" },
      { code: "GOOD", subcode: "02", codeType: "Basic" },
      { code: "OLD1", status: "Cancelled" },
      { code: "OLD1", subcode: "01" },
      { code: "DIR1", directParent: "XFT1" },
      { code: "good" },
      { code: "OWN1", owner: "nobody" },
      { code: "OWN2", owner: "two@example-parts.com" },
      { code: "CON1", contacts: '[{"contactType":"Boss"}]' },
      { code: "CON2", contacts: contactsOf("ann@example.org", "Ann@Example.org") },
      { code: "TYP1", entityType: "16384" },
      { code: "TYP2", entityType: "32768" },
      { code: "MRK1", entityName: "<b>Plant</b>" },
      { code: "WHN1", registeredAt: "2026-02-30" },
      { code: "OFT2", codeType: "OFTP" },
      { code: "CON3", contacts: "IT" },
      { code: "CON4", contacts: `[7, ${contactsOf("ann@example.org").slice(1)}` },
      { code: "CON5", contacts: '[{"contactType":"IT","firstName":"Ann","lastName":"Lee","email":"ann","phone":"1"}]' },
    ]);
    const { out, err } = await portal("import", file);
    expect(err).toBe("Bad rows: 23 of 26. Nothing was changed.");
    expect(out.split("\n").toSorted()).toEqual(
      [
        "line 3, code: A code has 4 characters, 0 to 9 and A to Z.",
        "line 3, entityName: This field is required.",
        "line 4, code: Codes with prefix X are for OFTP use only.",
        "line 6, subcode: An OFTP code has no sub codes.",
        "line 7, subcode: 00 may not be used as a subcode.",
        "line 8, subcode: Subcode must be exactly 2 characters long.",
        "line 9, subcode: A sub code has the characters 0 to 9 and A to Z.",
        "line 10, code: There is no such code for this sub code, neither here nor in the file.",
        "line 11, codeType: The code of this sub code has another type.",
        "line 13, status: The code of this sub code is Cancelled.",
        "line 14, directParent: Please specify an OSCAR code if you wish to use a direct parent.",
        "line 15, code: Line 2 has this code, too.",
        "line 16, owner: There is no such account.",
        "line 17, owner: Several accounts have this email address: give the user name.",
        `line 18, contacts: Contact 1, contactType: The value must be one of ${CONTACT_TYPES.join(", ")}.`,
        "line 18, contacts: Contact 1, firstName: This field is required.",
        "line 18, contacts: Contact 1, lastName: This field is required.",
        "line 18, contacts: Contact 1, email: This field is required.",
        "line 19, contacts: Two contacts have the same email address.",
        "line 20, entityTypeOther: This field is required.",
        "line 21, entityType: Entered value is not valid.",
        "line 22, entityName: Markup is not allowed.",
        "line 23, registeredAt: The value is not a UTC timestamp such as 2026-01-31T12:00:00Z.",
        "line 24, code: An OFTP code begins with X.",
        "line 25, contacts: The value is not a JSON list of contacts; docs/operations.md describes it.",
        "line 26, contacts: Contact 1 is not a JSON object.",
        "line 27, contacts: Contact 1, email: Email address is not valid.",
        'line 27, contacts: Contact 1 has fields that contacts do not have: "phone".',
      ].toSorted(),
    );
    expect(await findCodeByName(getDb(), "GOOD", "")).toBeNull();
  });

  test("[COD-05] [COD-10] counts existing sub-entities towards the limits; 0 allows none", async () => {
    const rows = (code: string, first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => ({
        code,
        subcode: String(first + index)
          .padStart(2, "0")
          .slice(-2)
          .replace("00", "A0"),
        codeType: "Basic",
      }));
    const hundred = [{ code: "BAS1", codeType: "Basic" }, ...rows("BAS1", 1, 100)];
    expect((await portal("import", "--dry-run", fileOf(hundred))).err).toBe("");
    const one = { code: "BAS1", codeType: "Basic", subcode: "ZZ" };
    expect(await portal("import", fileOf([...hundred, one]))).toEqual({
      out: "line 103, subcode: The code has all the sub-entities that it may have: 100.",
      err: "Bad rows: 1 of 102. Nothing was changed.",
    });
    expect((await portal("import", fileOf(hundred))).err).toBe("");
    expect((await portal("import", fileOf([one]))).out).toBe(
      "line 2, subcode: The code has all the sub-entities that it may have: 100.",
    );
    for (const [sbeMaxNumber, err] of [
      ["0", ""],
      ["2", ""],
      ["1", "Bad rows: 1 of 3. Nothing was changed."],
    ] as const) {
      const file = fileOf([{ code: "MAX1", codeType: "Basic", sbeMaxNumber }, ...rows("MAX1", 1, 2)]);
      expect((await portal("import", "--dry-run", file)).err).toBe(err);
    }
  });

  test("[COD-07] [COD-10] a direct parent is another registered code, not for OFTP, without a circle", async () => {
    await portal("import", fileOf([{ code: "GONE", status: "Cancelled" }, { code: "REG1" }]));
    const file = fileOf([
      { code: "SELF", directParent: "self" },
      { code: "CNC1", status: "Cancelled" },
      { code: "DIR1", directParent: "CNC1" },
      { code: "DIR2", directParent: "GONE" },
      { code: "CIR1", directParent: "CIR2" },
      { code: "CIR2", directParent: "CIR1" },
      { code: "GOOD", directParent: "REG1" },
      { code: "GOOD", subcode: "01", directParent: "GOOD" },
    ]);
    const specify = "Please specify an OSCAR code if you wish to use a direct parent.";
    const circle = "The specified code already has this code among its parents.";
    expect((await portal("import", file)).out.split("\n")).toEqual([
      "line 2, directParent: A code cannot be its own direct parent.",
      `line 4, directParent: ${specify}`,
      `line 5, directParent: ${specify}`,
      `line 6, directParent: ${circle}`,
      `line 7, directParent: ${circle}`,
    ]);
  });

  test("[COD-10] reports all problems of a row at once, in the order of lines", async () => {
    await portal("import", fileOf([{ code: "REG1" }]));
    const file = fileOf([
      { code: "XB12", entityName: "", directParent: "IOIO", owner: "nobody" },
      { code: "REG1" },
      { code: "AB1" },
      { code: "GOOD", subcode: "01", dunsNumber: "1".repeat(19) },
    ]);
    expect((await portal("import", file)).out.split("\n")).toEqual([
      "line 2, entityName: This field is required.",
      "line 2, code: Codes with prefix X are for OFTP use only.",
      "line 2, owner: There is no such account.",
      "line 2, directParent: Please specify an OSCAR code if you wish to use a direct parent.",
      "line 3: the code 'REG1' exists already and stays as it is",
      "line 4, code: A code has 4 characters, 0 to 9 and A to Z.",
      "line 5, dunsNumber: Entered value is not valid.",
      "line 5, code: There is no such code for this sub code, neither here nor in the file.",
    ]);
  });

  test("[COD-10] an export imports to the same register", async () => {
    const contacts = JSON.stringify([
      {
        contactType: "IT",
        firstName: "Zoë",
        lastName: 'O\'Neil, "Z"',
        phoneNumber: "+49 221 1",
        email: "zoe@example.org",
      },
      { contactType: "OFTP", firstName: "=A1", lastName: "Ω", email: "a@example.org" },
    ]);
    const mailing = Object.fromEntries(
      Object.entries(ADDRESS).map(([name, text]) => [name.replace("physical", "mailing"), text]),
    );
    const rows: Record<string, string>[] = [
      { code: "7F00", ...ADDRESS, ...mailing, contacts, entityType: "16385", entityTypeOther: "=cmd()" },
      { code: "7F00", subcode: "Z9", entityName: "''=quoted", directParent: "BAS1", status: "Expired" },
      { code: "BAS1", codeType: "Basic", entityName: "+plus", sbeMaxNumber: "0", vatNumber: "DE123456789" },
      { code: "X0IO", codeType: "OFTP", entityName: 'Ünïcode 🚗, "quoted"', shortName: "@short", tradeName: "''-x" },
    ];
    expect((await portal("import", fileOf(rows))).err).toBe("");
    const [one, two] = [join(folder, "one.csv"), join(folder, "two.csv")];
    expect(await portal("export", one)).toEqual({ out: "Codes: 4.", err: "" });
    await emptyRegister();
    expect(await portal("import", one)).toEqual({ out: "Rows: 4, imported: 4, existing: 0.", err: "" });
    await portal("export", two);
    expect(readFileSync(two, "utf8")).toBe(readFileSync(one, "utf8"));
    expect(readFileSync(one, "utf8")).not.toMatch(/(^|,)"?[=+@-]/m);
    expect(await findCodeByName(getDb(), "7F00", "Z9")).toMatchObject({ entityName: "'=quoted", status: "Expired" });
    expect(await findCodeByName(getDb(), "BAS1", "")).toMatchObject({ entityName: "+plus", sbeMaxNumber: null });
    expect((await portal("export", two)).err).toBe(`${two} cannot be written: it exists already; name a new file.`);
    const lost = join(folder, "nowhere", "one.csv");
    expect((await portal("export", lost)).err).toBe(`${lost} cannot be written: there is no such folder.`);
  });
});
