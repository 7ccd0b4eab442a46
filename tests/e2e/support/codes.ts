import { closeDb, getDb, openDatabase } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { type CodeType } from "~db/tables";
import { createAvailableCodes } from "../../support/codes";
import { type RunningPortal } from "./running-portal";

/** Gives a customer codes that are paid, in the running portal's own database. */
export async function giveCodes(portal: RunningPortal, email: string, codeType: CodeType, quantity: number) {
  const { databaseUrl, dataDir } = portal;
  const holder = globalThis as typeof globalThis & { __marqueDb?: unknown };
  holder.__marqueDb = openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) });
  try {
    const [user] = await listUsersByLogin(getDb(), email);
    if (!user) throw new Error(`There is no account ${email}.`);
    await createAvailableCodes(user, codeType, quantity);
  } finally {
    await closeDb();
  }
}
