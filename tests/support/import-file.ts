import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";
import { getDb } from "~db/connection.server";
import { selectUsers } from "~db/repositories/users.server";
import { usersCommand } from "../../cli/commands/users";

const REQUIRED = ["username", "email", "firstName", "lastName", "company", "position", "telephoneNumber"];
const COLUMNS = [
  ...REQUIRED,
  ...["companyRegistrationNumber", "taxNumber", "vatNumber"],
  ...["companyAddress.addressLine1", "companyAddress.city", "companyAddress.postalCode", "companyAddress.country"],
  ...["invoicingAddress.company", "invoicingAddress.addressLine1", "invoicingAddress.addressLine2"],
  ...["invoicingAddress.city", "invoicingAddress.postalCode", "invoicingAddress.region", "invoicingAddress.country"],
  ...["rights", "disabled", "passwordHash", "securityQuestion", "securityAnswerHash"],
];

/** A header row with the required columns. */
export const SHORT = REQUIRED.join(",");

export interface Person extends Record<string, string> {
  username: string;
  email: string;
}

let nextName = 1;

/** Returns a row with the required columns for a new person. */
export function newPerson(): Person {
  const username = `import-${nextName++}`;
  return {
    username,
    email: `${username}@customers.example`,
    firstName: "Anna",
    lastName: "Müller",
    company: "Example Parts GmbH",
    position: "EDI manager",
    telephoneNumber: "+49 221 123456",
  };
}

export const ADDRESS = {
  "companyAddress.addressLine1": "Domkloster 4",
  "companyAddress.city": "Köln",
  "companyAddress.postalCode": "50667",
  "companyAddress.country": "de",
};

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const lineOf = (values: Record<string, string>) => COLUMNS.map((name) => quoted(values[name] ?? "")).join(",");

/** Creates a folder for this test file's import files. */
export function useImportFiles() {
  const folder = mkdtempSync(join(tmpdir(), "marque-import-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (text: string | Buffer): string => {
    const file = join(folder, "accounts.csv");
    writeFileSync(file, text);
    return file;
  };
  const csv = (...rows: Record<string, string>[]) =>
    write([COLUMNS.join(","), ...rows.map(lineOf)].join("\r\n") + "\r\n");
  return { folder, write, csv };
}

/** Runs the command as `npm run portal` does, in this process. */
export async function importFile(file: string, ...flags: string[]): Promise<{ out: string; err: string }> {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const run = usersCommand().parseAsync(["import", file, ...flags], { from: "user" });
  const err = await run.then(
    () => "",
    (error: Error) => error.message,
  );
  const out = print.mock.calls.map(([line]) => `${String(line)}\n`).join("");
  print.mockRestore();
  return { out, err };
}

export const findAccount = (username: string) =>
  selectUsers(getDb()).where("username", "=", username).executeTakeFirst();

/** Returns the number of rows in each table that an import writes. */
export async function countRows() {
  const count = async (table: "users" | "addresses" | "auditEntries") => {
    const query = getDb()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"));
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return {
    users: await count("users"),
    addresses: await count("addresses"),
    auditEntries: await count("auditEntries"),
  };
}
