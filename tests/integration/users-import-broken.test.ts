import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashAnswer, hashPassword } from "~/domain/accounts/passwords.server";
import { runCommand } from "../support/command";
import { createUser } from "../support/factories";
import { ADDRESS, countRows, findAccount, importFile, newPerson, SHORT, useImportFiles } from "../support/import-file";
import { usePortal } from "../support/portal";

const portal = usePortal();
const { csv, folder, write } = useImportFiles();

describe("users import, broken files", () => {
  const WEAK =
    "The value is not an argon2id hash in PHC format that the portal accepts: m of 7168 KiB, m × t of 35840, salt and output of 16 bytes at least.";
  const x = (length: number) => "x".repeat(length);

  test("[CON-04] names each bad row by line and field, and one of them stops the import", async () => {
    const person = newPerson();
    const taken = await createUser({ username: "taken.person", email: "taken@customers.example" });
    const foreign = await createUser({ username: "old@customers.example", email: "moved@customers.example" });
    const hash = await hashPassword("x");
    const broken: [Record<string, string>, string][] = [
      [{ username: " " }, "username: This field is required."],
      [{ username: x(201) }, "username: Entered value is not valid."],
      [{ username: "\u0130".repeat(101) }, "username: Entered value is not valid."], // İ becomes two characters in lower case
      [{ email: "nobody" }, "email: Email address is not valid."],
      [{ email: `${x(196)}@b.de` }, "email: Entered value is not valid."],
      [{ firstName: "\u00a0 " }, "firstName: This field is required."],
      [{ lastName: x(121) }, "lastName: Entered value is not valid."],
      [{ company: x(121) }, "company: Entered value is not valid."],
      [{ position: x(121) }, "position: Entered value is not valid."],
      [{ telephoneNumber: "call me" }, "telephoneNumber: Telephone number is not valid."],
      [{ telephoneNumber: "1".repeat(36) }, "telephoneNumber: Entered value is not valid."],
      [{ companyRegistrationNumber: x(71) }, "companyRegistrationNumber: Entered value is not valid."],
      [{ taxNumber: x(36) }, "taxNumber: Entered value is not valid."],
      [{ vatNumber: x(19) }, "vatNumber: Entered value is not valid."],
      [{ ...ADDRESS, vatNumber: "FR12345678901" }, "vatNumber: The specified VAT number is not valid."],
      [{ ...ADDRESS, "companyAddress.city": "" }, "companyAddress.city: This field is required."],
      [
        { ...ADDRESS, "companyAddress.country": "276" },
        "companyAddress.country: The value '276' is not an ISO 3166-1 code of two letters.",
      ],
      [
        { ...ADDRESS, "companyAddress.country": "XX" },
        "companyAddress.country: The value 'XX' is not an ISO 3166-1 code of two letters.",
      ],
      [{ ...ADDRESS, "companyAddress.country": "" }, "companyAddress.country: This field is required."],
      [
        Object.fromEntries(Object.entries(ADDRESS).map(([name, text]) => [name.replace("company", "invoicing"), text])),
        "companyAddress.addressLine1: This field is required.",
      ],
      [{ rights: "Applicant,Owner" }, "rights: The value 'Owner' is not part of the collection. Allowed: Applicant."],
      [{ rights: "admin" }, "rights: The right Admin is only imported on the command line, with --allow-admins."],
      [{ disabled: "perhaps" }, "disabled: The value 'perhaps' must be yes or no."],
      [{ passwordHash: "secret" }, `passwordHash: ${WEAK}`],
      [{ passwordHash: hash.replace("m=19456", "m=900000") }, `passwordHash: ${WEAK}`],
      [{ passwordHash: hash.replace("argon2id", "argon2i") }, `passwordHash: ${WEAK}`],
      [{ passwordHash: hash.replace("m=19456", "m=9216") }, `passwordHash: ${WEAK}`],
      [
        { securityQuestion: "Where?" },
        "securityAnswerHash: A security question and the hash of its answer belong together.",
      ],
      [
        { securityAnswerHash: hash },
        "securityQuestion: A security question and the hash of its answer belong together.",
      ],
      [{ company: "Parts <b>GmbH</b>" }, "company: Markup is not allowed."],
      [{ lastName: "M\u0000ller" }, "lastName: Control characters and line breaks are not allowed."],
      [{ company: "\u202eHbmG\u202c strap" }, "company: Control characters and line breaks are not allowed."],
      [{ lastName: "M\u200bller" }, "lastName: Control characters and line breaks are not allowed."],
      [{ username: taken.email }, "username: This user name is the email address of another account."],
      [{ email: foreign.username }, "email: This email address is the user name of another account."],
    ];
    const rows = broken.map(([change], index) => ({
      ...person,
      username: `broken-${index}`,
      email: `broken-${index}@customers.example`,
      ...change,
    }));
    const before = await countRows();
    const good = { ...person, username: "good.person" };
    for (const flags of [["--dry-run"], []]) {
      const { out, err } = await importFile(csv(good, ...rows), ...flags);
      expect(out.trim().split("\n").sort()).toEqual(
        broken.map(([, message], index) => `line ${index + 3}, ${message}`).sort(),
      );
      expect(err).toBe(`Bad rows: ${broken.length} of ${broken.length + 1}. Nothing was changed.`);
    }
    expect(await countRows()).toEqual(before);
  });

  test("[CON-04] reports all problems of a row at once", async () => {
    const person = newPerson();
    const row = { ...person, firstName: "<b></b>", lastName: "\u200b", email: "nobody", position: " ", ...ADDRESS };
    const { out } = await importFile(csv({ ...row, "companyAddress.country": "XX" }));
    expect(out.trim().split("\n")).toEqual([
      "line 2, firstName: Markup is not allowed.",
      "line 2, lastName: Control characters and line breaks are not allowed.",
      "line 2, email: Email address is not valid.",
      "line 2, position: This field is required.",
      "line 2, companyAddress.country: The value 'XX' is not an ISO 3166-1 code of two letters.",
    ]);
  });

  test("[CON-04] accepts every text at its maximum length", async () => {
    const person = newPerson();
    const edge = {
      ...person,
      username: x(200),
      email: `${x(188)}@customers.x`,
      firstName: x(120),
      lastName: x(120),
      company: "م".repeat(120),
      position: "😀".repeat(60),
      telephoneNumber: "1".repeat(35),
      companyRegistrationNumber: x(70),
      taxNumber: x(35),
      ...ADDRESS,
      "companyAddress.addressLine1": x(120),
      "companyAddress.city": x(90),
      "companyAddress.postalCode": x(10),
      vatNumber: `DE${"1".repeat(15)}`,
      securityQuestion: x(200),
      securityAnswerHash: await hashAnswer("x"),
    };
    expect((await importFile(csv(edge))).out).toBe("Rows: 1, imported: 1, existing: 0.\n");
    expect(await findAccount(x(200))).toMatchObject({ company: "م".repeat(120), position: "😀".repeat(60) });
  });

  test("[CON-04] reports rows of one file that contradict each other", async () => {
    const person = newPerson();
    const file = csv(
      { ...person, username: "Twice" },
      { ...person, username: "twice" },
      { ...person, username: "other@customers.example" },
      { ...person, username: "third", email: "other@customers.example" },
    );
    expect((await importFile(file)).out.trim().split("\n")).toEqual([
      "line 3, username: Line 2 has this user name, too.",
      "line 4, username: This user name is the email address of another account.",
    ]);
  });

  test("[CON-04] reports a conflict within the file and with stored accounts once, in the order of lines", async () => {
    const taken = await createUser({ username: "owner.person", email: "owner.person@customers.example" });
    const person = newPerson();
    const file = csv(
      { ...person, username: taken.email },
      { ...person, username: "second.person", email: taken.email, position: " " },
      { ...person, username: "third.person", email: taken.email },
    );
    expect((await importFile(file)).out.trim().split("\n")).toEqual([
      "line 2, username: This user name is the email address of another account.",
      "line 3, position: This field is required.",
    ]);
  });

  test.each([
    ["", "the file is empty; it begins with a header row that names the columns"],
    [" \r\n", "line 1: the header row has unknown columns: ''"],
    ["username|email\r\n", "line 1: the header row has unknown columns: 'username|email'"],
    [
      "username;email;firstName\r\n",
      "line 1: the header row lacks the columns 'lastName', 'company', 'position', 'telephoneNumber'",
    ],
    [
      "username,email,firstName\r\n",
      "line 1: the header row lacks the columns 'lastName', 'company', 'position', 'telephoneNumber'",
    ],
    [`${SHORT},email\r\n`, "line 1: the header row has columns twice: 'email'"],
    [`${SHORT}\r\n"1\r\n2",b\r\n\r\n"a,b\r\nc`, 'line 5: a cell begins with " and never ends'],
    [`${SHORT}\r\n"a,b\r\nc`, 'line 2: a cell begins with " and never ends'],
    [`${SHORT}\r\na,b"c",d`, 'line 2: there is a " inside a cell that does not begin with one'],
    [`${SHORT}\r\n"a"b,c`, 'line 2: a quoted cell goes on after its closing "; a " inside it is written ""'],
    [`${SHORT}\r\n${"x".repeat(70_000)}`, 'line 2: the row is longer than 65536 bytes; is a closing " missing?'],
  ])("[CON-04] reports an unreadable file (%#)", async (text, message) => {
    expect(await importFile(write(text))).toMatchObject({ err: message });
  });

  test("[CON-04] reports rows with too few or too many cells, also with another separator", async () => {
    const row = "a,a@b.de,A,B,C,D,1";
    const commas = [SHORT, `${row},9`, row.slice(0, -2), row.replaceAll(",", ";")];
    const semicolons = [SHORT.replaceAll(",", ";"), row];
    expect((await importFile(write(commas.join("\r\n")))).out.trim().split("\n")).toEqual([
      "line 2: The row has 8 cells, which is not as many as the header.",
      "line 3: The row has 6 cells, which is not as many as the header.",
      "line 4: The row has 1 cell, which is not as many as the header.",
    ]);
    const { out } = await importFile(write(semicolons.join("\r\n")));
    expect(out).toBe("line 2: The row has 1 cell, which is not as many as the header.\n");
  });

  const AGAIN = "In a spreadsheet program, save it again as 'CSV UTF-8', and import that file.";
  const ANSI = `the text is not UTF-8; the file is probably in Windows-1252 ('ANSI'). ${AGAIN}`;
  const UTF16 = `the file is in UTF-16 ('Unicode'), not in UTF-8. ${AGAIN}`;
  const mueller = `${SHORT}\r\na,nobody,A,B,C,D,1\r\nb,b@b.de,M\u00fcller,B,C,D,1\r\n`;
  test.each([
    ["Windows-1252", Buffer.from(mueller, "latin1"), `line 3, firstName: ${ANSI}`],
    ["Windows-1252 with one cell too many", Buffer.from(`${SHORT}\r\n,,,,,,,\u00fc`, "latin1"), `line 2: ${ANSI}`],
    ["a letter that was lost before", Buffer.from(mueller.replace("\u00fc", "\uFFFD")), `line 3, firstName: ${ANSI}`],
    ["UTF-16, little-endian, with a byte order mark", Buffer.from(`\ufeff${mueller}`, "utf16le"), UTF16],
    ["UTF-16, big-endian, with a byte order mark", Buffer.from(`\ufeff${mueller}`, "utf16le").swap16(), UTF16],
    ["UTF-16, little-endian", Buffer.from(mueller, "utf16le"), UTF16],
    ["UTF-16, big-endian", Buffer.from(mueller, "utf16le").swap16(), UTF16],
  ])("[CON-04] refuses a file that is not UTF-8 and says what to do: %s", async (_name, bytes, message) => {
    const before = await countRows();
    const file = write(bytes);
    for (const flags of [["--dry-run"], []]) expect(await importFile(file, ...flags)).toMatchObject({ err: message });
    expect(await countRows()).toEqual(before);
  });

  test("[CON-04] [GEN-03] keeps a '<' that begins no tag", async () => {
    const person = newPerson();
    const row = { ...person, company: "A < B & C", lastName: "Müller <GmbH", position: "a<b" };
    expect((await importFile(csv(row))).out).toBe("Rows: 1, imported: 1, existing: 0.\n");
    const { company, lastName, position } = row;
    expect(await findAccount(person.username)).toMatchObject({ company, lastName, position });
  });

  test("[CON-04] reports a row with an existing user name only as existing, whatever else it has", async () => {
    const person = newPerson();
    const old = await createUser({ username: "known@customers.example", email: "known-now@customers.example" });
    const file = csv(
      { ...person, username: "Known@customers.example", email: "nobody", company: "<b>B</b>" },
      { ...person, username: old.username, email: "somebody@customers.example" },
      person,
    );
    const existing = [2, 3].map(
      (line) => `line ${line}: the account '${old.username}' exists already and stays as it is`,
    );
    const dry = "Rows: 3, to be imported: 1, existing: 2. Nothing was changed.\n";
    expect(await importFile(file, "--dry-run")).toEqual({ out: [...existing, dry].join("\n"), err: "" });
    const done = "Rows: 3, imported: 1, existing: 2.\n";
    expect(await importFile(file)).toEqual({ out: [...existing, done].join("\n"), err: "" });
    expect(await findAccount(old.username)).toMatchObject({ email: old.email, company: old.company });
  });

  test("[CON-04] also reports bad rows before a broken quote and imports nothing", async () => {
    const good = (name: string) => `${name},${name}@b.de,A,B,C,D,1`;
    const rows = Array.from({ length: 300 }, (_, index) => good(`before-${index}`));
    const before = await countRows();
    for (const tail of ['"a,b', '"a"b,c']) {
      const text = [SHORT, "a,nobody,A,B,C,D,1", ...rows, "b,b@b.de", good("c"), good("d"), tail].join("\r\n");
      const { out, err } = await importFile(write(text));
      expect(out.trim().split("\n")).toEqual([
        "line 2, email: Email address is not valid.",
        "line 303: The row has 2 cells, which is not as many as the header.",
      ]);
      expect(err).toMatch(/^line 306: /);
    }
    expect(await countRows()).toEqual(before);
  });

  test("[CON-04] reports in one line a missing file, a folder and other unreadable paths", async () => {
    const missing = join(folder, "none.csv");
    const circle = join(folder, "circle.csv");
    symlinkSync(circle, circle);
    expect(await runCommand(["users", "import", missing], portal.env)).toEqual({
      code: 1,
      out: "",
      err: `portal: ${missing} cannot be read: there is no such file.\n`,
    });
    expect(await importFile(folder)).toEqual({ out: "", err: `${folder} cannot be read: it is a folder.` });
    expect(await importFile(circle)).toEqual({ out: "", err: `${circle} cannot be read.` });
  });
});
