import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { type RunningPortal } from "./running-portal";

export const SHARED_PASSWORD = "the old system's password";

/**
 * Imports two accounts with the same email and returns the email. `<name>.old` has only names. `<name>.new` has a company in Cologne and
 * the longest possible position. With `withPassword`, both have SHARED_PASSWORD.
 */
export async function importTwo(portal: RunningPortal, name: string, { withPassword = false } = {}): Promise<string> {
  const email = `${name}@example-parts.com`;
  const hash = withPassword ? `"${await hashPassword(SHARED_PASSWORD)}"` : "";
  const folder = mkdtempSync(join(tmpdir(), "marque-import-"));
  const file = join(folder, "accounts.csv");
  const address = ["addressLine1", "city", "postalCode", "country"].map((part) => `companyAddress.${part}`);
  writeFileSync(
    file,
    [
      `username,email,firstName,lastName,company,position,telephoneNumber,companyRegistrationNumber,vatNumber,passwordHash,${address.join(",")}`,
      `${name}.old,${email},Anna,Müller,Example Parts AG,EDI manager,+49 221 123456,,,${hash},,,,`,
      `${name}.new,${email},Anna,Müller,Example Parts GmbH,${"W".repeat(120)},+49 221 123456,HRB 12345,DE123456789,${hash},Domkloster 4,Köln,50667,DE`,
    ].join("\r\n"),
  );
  const run = await portal.command(["users", "import", file]);
  rmSync(folder, { recursive: true });
  expect(run).toEqual({ code: 0, out: "Rows: 2, imported: 2, existing: 0.\n", err: "" });
  return email;
}
