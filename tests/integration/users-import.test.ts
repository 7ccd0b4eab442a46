import { describe, expect, test } from "vitest";
import { login } from "~/domain/accounts/login.service.server";
import { hashAnswer, hashPassword } from "~/domain/accounts/passwords.server";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { getDb } from "~db/connection.server";
import { runCommand } from "../support/command";
import { ADDRESS, countRows, findAccount, importFile, newPerson, SHORT, useImportFiles } from "../support/import-file";
import { usePortal } from "../support/portal";

const portal = usePortal();
const { csv, write } = useImportFiles();

describe("users import", () => {
  test("[CON-04] imports every column: accounts with one email, with and without addresses, hash and question", async () => {
    const person = newPerson();
    const full = {
      ...person,
      username: "Anna.Old",
      email: "Anna@Customers.example",
      firstName: "A".repeat(120),
      companyRegistrationNumber: "HRB 12345",
      taxNumber: "214/5800/0001",
      vatNumber: "de 100",
      ...ADDRESS,
      "invoicingAddress.company": 'Example "Finance" GmbH, Köln',
      "invoicingAddress.addressLine1": "Rue de la Loi 1",
      "invoicingAddress.addressLine2": "2nd floor",
      "invoicingAddress.city": "Berlin",
      "invoicingAddress.postalCode": "10115",
      "invoicingAddress.region": "BE",
      "invoicingAddress.country": "DE",
      rights: "Applicant, Admin",
      passwordHash: await hashPassword("the old system's password"),
      securityQuestion: "Where did you grow up?",
      securityAnswerHash: await hashAnswer("Köln"),
    };
    const bare = { ...person, username: "anna.new", email: "anna@customers.example", disabled: "yes" };
    const before = await countRows();
    expect(
      await runCommand(["users", "import", csv(full, bare), "--allow-admins", "--operator", "Olga"], portal.env),
    ).toEqual({
      code: 0,
      out: "Rows: 2, imported: 2, existing: 0.\n",
      err: "",
    });

    const stored = await findAccount("anna.old");
    expect(stored).toMatchObject({
      email: "anna@customers.example",
      firstName: "A".repeat(120),
      mustChangePassword: false,
      isApplicant: true,
      isAdmin: true,
      isDisabled: false,
      emailVerifiedAt: null,
      securityQuestion: "Where did you grow up?",
      securityAnswerHash: full.securityAnswerHash,
      taxNumber: "214/5800/0001",
      vatNumberChecked: null,
      mergedInto: null,
    });
    expect(await getProfile(stored?.id ?? 0)).toMatchObject({
      companyRegistrationNumber: "HRB 12345",
      vatNumber: "DE100",
      companyAddress: { company: "Example Parts GmbH", addressLine1: "Domkloster 4", city: "Köln", country: 276 },
      invoicingAddress: {
        company: 'Example "Finance" GmbH, Köln',
        addressLine2: "2nd floor",
        region: "BE",
        country: 276,
      },
    });
    expect(await login("anna@customers.example", "the old system's password")).toMatchObject({ id: stored?.id });
    expect(await findAccount("anna.new")).toMatchObject({
      email: "anna@customers.example",
      mustChangePassword: true,
      isApplicant: true,
      isAdmin: false,
      isDisabled: true,
      companyAddressId: null,
      vatNumber: null,
    });

    expect(await countRows()).toEqual({
      users: before.users + 2,
      addresses: before.addresses + 2,
      auditEntries: before.auditEntries + 3 + 1, // one for each account, one for the file, one for the login above
    });
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["event", "actorName", "message", "reference", "userId"])
      .where("event", "like", "account%.imported")
      .orderBy("id")
      .execute();
    expect(entries[0]).toEqual({
      event: "account.imported",
      actorName: "command line (Olga)",
      message: "Imported from line 2 of a file.",
      reference: "accounts.csv",
      userId: stored?.id,
    });
    expect(entries.at(-1)).toMatchObject({ event: "accounts.imported", message: "Accounts imported from a file: 2." });
  });

  test("[CON-04] copies the company address to a missing invoicing address, in a row of its own", async () => {
    const person = newPerson();
    await importFile(csv({ ...person, ...ADDRESS }));
    const user = await findAccount(person.username);
    expect(user?.companyAddressId).not.toBe(user?.invoicingAddressId);
    const { companyAddress, invoicingAddress } = await getProfile(user?.id ?? 0);
    expect(invoicingAddress).toEqual({ ...companyAddress, id: user?.invoicingAddressId });
  });

  test("[CON-04] without a hash allows no login until the password is set by 'Forgotten your password?'", async () => {
    const person = newPerson();
    await importFile(csv(person));
    for (const password of ["", "decoy", "password"])
      await expect(login(person.email, password)).rejects.toMatchObject({ code: "InvalidPassword" });
  });

  test("[CON-04] reports the same in a dry run and changes nothing; a second run changes nothing and names existing users", async () => {
    const person = newPerson();
    const other = { ...person, username: `${person.username}-b` };
    const file = csv(person, other);
    const before = await countRows();
    expect(await importFile(file, "--dry-run")).toEqual({
      out: "Rows: 2, to be imported: 2, existing: 0. Nothing was changed.\n",
      err: "",
    });
    expect(await countRows()).toEqual(before);

    await importFile(csv(person));
    await importFile(csv({ ...person, company: "Another name" }, other));
    expect(await findAccount(other.username)).toBeDefined();
    const after = await countRows();
    expect(await importFile(file)).toEqual({
      out: [
        `line 2: the account '${person.username}' exists already and stays as it is`,
        `line 3: the account '${other.username}' exists already and stays as it is`,
        "Rows: 2, imported: 0, existing: 2.\n",
      ].join("\n"),
      err: "",
    });
    expect(await countRows()).toEqual(after);
    expect((await findAccount(person.username))?.company).toBe("Example Parts GmbH");
  });

  test("[CON-04] reads a byte order mark, LF, quotes, line breaks in quotes before a bad row, and columns in any order", async () => {
    const person = newPerson();
    const row = `+49 221 1,Müller,Anna,"Parts, ""Dr."" GmbH",${person.email},EDI,${person.username}`;
    const file = write(`\ufefftelephoneNumber,lastName,firstName,company,email,position,username\n${row}\n\n`);
    expect((await importFile(file)).out).toBe("Rows: 1, imported: 1, existing: 0.\n");
    expect(await findAccount(person.username)).toMatchObject({
      lastName: "Müller",
      company: 'Parts, "Dr." GmbH',
    });
    const broken = write(`${SHORT}\r\na,a@b.de,A,B,"C\r\nD\r\n",E,1\r\n\r\nb,b,A,B,C,E,1\r\n`);
    const { out } = await importFile(broken, "--dry-run");
    expect(out).toBe(
      "line 2, company: Control characters and line breaks are not allowed.\nline 6, email: Email address is not valid.\n",
    );
  });

  test.each([
    ["CRLF and a byte order mark", "\r\n", "\ufeff"],
    ["LF", "\n", ""],
  ])("[CON-04] reads semicolons, as European spreadsheets write them, with %s", async (_name, lineBreak, mark) => {
    const person = newPerson();
    const rows = [
      `"rights";${SHORT.replaceAll(",", ";")}`,
      `Applicant,Admin;${person.username};${person.email};Anna;Müller;"Parts; ""Dr.""${lineBreak}GmbH";EDI, Cologne;+49 221 1`,
      `;${person.username}-b;nobody;Anna;Müller;Parts;EDI, Cologne;+49 221 1`,
      ";;;;;;;",
      ` ; ;;;;;;`,
      "",
    ];
    const file = write(mark + rows.join(lineBreak));
    expect(await importFile(file, "--allow-admins", "--dry-run")).toEqual({
      out: "line 2, company: Control characters and line breaks are not allowed.\nline 4, email: Email address is not valid.\n",
      err: "Bad rows: 2 of 2. Nothing was changed.",
    });
    const mended = rows.map((row) => row.replace(lineBreak, " ").replace("nobody", "somebody@customers.example"));
    const done = await importFile(write(mark + mended.join(lineBreak)), "--allow-admins");
    expect(done).toEqual({ out: "Rows: 2, imported: 2, existing: 0.\n", err: "" });
    expect(await findAccount(person.username)).toMatchObject({
      company: 'Parts; "Dr." GmbH',
      position: "EDI, Cologne",
      isApplicant: true,
      isAdmin: true,
    });
  });

  test("[CON-04] reads rows of two joined files with different line ends", async () => {
    const person = newPerson();
    const row = (name: string, email = person.email) => `${name},${email},Anna,Müller,Parts,EDI,+49 221 1`;
    const bad = `${SHORT}\r\n${row(person.username)}\n\n${row("b", "nobody")}\r\n${row("c", "nobody")}`;
    expect((await importFile(write(bad), "--dry-run")).out).toBe(
      "line 4, email: Email address is not valid.\nline 5, email: Email address is not valid.\n",
    );
    const good = `${SHORT}\r\n${row(person.username)}\n${row(`${person.username}-b`)}\r\n`;
    expect((await importFile(write(good))).out).toBe("Rows: 2, imported: 2, existing: 0.\n");
  });

  test("[CON-04] imports more rows than fit into one statement", async () => {
    const person = newPerson();
    const rows = Array.from({ length: 601 }, (_, index) => ({
      ...person,
      ...ADDRESS,
      username: `${person.username}.${index}`,
    }));
    expect((await importFile(csv(...rows))).out).toBe("Rows: 601, imported: 601, existing: 0.\n");
    const last = await findAccount(`${person.username}.600`);
    expect((await getProfile(last?.id ?? 0)).invoicingAddress).toMatchObject({ addressLine1: "Domkloster 4" });
  });
});
