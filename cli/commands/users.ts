import { Command } from "commander";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { timestamp, say, table } from "../output";
import { withDatabase } from "../with-database";
import { addAdministration } from "./users-administration";

async function list(): Promise<void> {
  const { listAccountAccess } = await import("~db/repositories/account-access.server");
  const { getDb } = await import("~db/connection.server");
  const { lockOf } = await import("~/domain/accounts/account-state.policy");
  const { namesOfRights, rightsOf } = await import("~/domain/accounts/rights.policy");
  const { listRightsOfMany } = await import("~db/repositories/user-rights.server");
  const now = new Date();
  const accounts = await listAccountAccess(getDb());
  if (accounts.length === 0) return say("No accounts.");
  const granted = await listRightsOfMany(
    getDb(),
    accounts.map(({ id }) => id),
  );
  const rows = accounts.map((account) => {
    const lock = lockOf(account, now);
    const rights = namesOfRights(rightsOf(account, granted.get(account.id) ?? []));
    const locks = {
      administrator: `locked by an administrator since ${timestamp(account.adminLockedAt)}`,
      "wrong-passwords": `locked for unknown browsers until ${timestamp(account.lockedUntil)}`,
    };
    const state = lock ? locks[lock] : "open";
    return [
      account.username,
      account.isDisabled ? "disabled" : state,
      rights.join(", ") || "-",
      timestamp(account.lastLoginAt),
      account.company,
    ];
  });
  say(table(["USER NAME", "STATE", "RIGHTS", "LAST LOGIN", "COMPANY"], rows));
}

async function unlock(email: string, { operator }: { operator?: string }): Promise<void> {
  const { unlockAccounts } = await import("~/domain/accounts/administration/unlock.service.server");
  const names = await unlockAccounts(email, await operatorActor(operator));
  if (names.length === 0) throw new Error(`There is no account '${email}'.`);
  for (const name of names) say(`Unlocked ${name}; its wrong passwords and counted logins are forgotten`);
}

interface ImportFlags {
  operator?: string;
  dryRun?: boolean;
  allowAdmins?: boolean;
}

async function importFile(file: string, { dryRun = false, allowAdmins = false, operator }: ImportFlags): Promise<void> {
  const { importAccounts } = await import("~/domain/accounts/import/import.service.server");
  const { rows, bad, existing, imported } = await importAccounts({
    file,
    dryRun,
    allowAdmins,
    actor: await operatorActor(operator),
    onProblem: (line, { field, message }) => say(`line ${line}${field ? `, ${field}` : ""}: ${message}`),
    onExisting: (line, username) => say(`line ${line}: the account '${username}' exists already and stays as it is`),
  });
  if (bad > 0) throw new Error(`Bad rows: ${bad} of ${rows}. Nothing was changed.`);
  if (dryRun) say(`Rows: ${rows}, to be imported: ${rows - existing}, existing: ${existing}. Nothing was changed.`);
  else say(`Rows: ${rows}, imported: ${imported}, existing: ${existing}.`);
}

export function usersCommand(): Command {
  const users = new Command("users").description("accounts").usage("COMMAND");
  users
    .command("list")
    .description("show every account, its rights, and whether it is locked or disabled")
    .action(() => withDatabase(list));
  users
    .command("unlock")
    .argument("<email>", "email or user name")
    .description("end every lock of an account and forget its wrong passwords")
    .option(...OPERATOR_OR_LOGIN)
    .action((email: string, flags: { operator?: string }) => withDatabase(() => unlock(email, flags)));
  users
    .command("import")
    .argument("<file>", "CSV file; its columns are described in docs/operations.md")
    .option("--dry-run", "report every bad row, change nothing")
    .option("--allow-admins", "import the right Admin, too")
    .option(...OPERATOR_OR_LOGIN)
    .description("import existing accounts: all rows or, when one of them is wrong, none")
    .action((file: string, flags: ImportFlags) => withDatabase(() => importFile(file, flags)));
  addAdministration(users);
  return users;
}
