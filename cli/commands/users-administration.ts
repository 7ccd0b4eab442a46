import { Argument, type Command, InvalidArgumentError } from "commander";
import { type RightsAction } from "~/domain/accounts/administration/user-administration.policy";
import { namesOfRights, RIGHT_NAMES, type Right, RIGHTS } from "~/domain/accounts/rights.policy";
import { askToType, YES } from "../ask";
import { operatorActor, OPERATOR, OPERATOR_OR_LOGIN } from "../operator";
import { say } from "../output";
import { withDatabase } from "../with-database";

type Action = "disable" | "enable" | "lock" | "end-sessions" | "reset-factors" | "erase" | RightsAction;

/**
 * Returns the account with this user name or email. Accounts that were merged into others do not count. Throws an Error when there is none,
 * or when several share the email and none has it as its user name.
 */
async function getAccount(login: string) {
  const { getDb } = await import("~db/connection.server");
  const { listUsersByLogin } = await import("~db/repositories/users.server");
  const name = login.trim().toLowerCase();
  const accounts = (await listUsersByLogin(getDb(), name)).filter((account) => account.mergedInto === null);
  const [first, ...others] = accounts;
  if (!first) throw new Error(`There is no account '${login}'.`);
  const byName = others.length === 0 ? first : accounts.find((account) => account.username === name);
  if (byName) return byName;
  const names = accounts.map((account) => account.username).join(", ");
  throw new Error(`Several accounts share the email '${login}'. Give a user name: ${names}`);
}

interface Given {
  reason?: string;
  /** Who runs the command, for the audit trail. */
  operator?: string;
  yes?: true;
  /** Whether a right of staff is granted to a member of a customer company. */
  althoughCustomer?: boolean;
}

const reasonLimit = async (): Promise<number> =>
  (await import("~/domain/accounts/administration/user-administration-texts")).ACTION_REASON_LIMIT;

/** Throws an Error when an option is empty or the reason is too long. */
function requireTexts({ reason, operator, althoughCustomer }: Given, limit: number): void {
  if (althoughCustomer && operator === undefined) throw new Error("--although-customer needs --operator.");
  if (operator?.trim() === "") throw new Error("--operator must not be empty.");
  if (reason?.trim() === "") throw new Error("--reason must not be empty.");
  if (reason && reason.length > limit) throw new Error(`--reason may have at most ${limit} characters.`);
}

/** Throws an Error for a grant that takes two user administrators elsewhere: the audit trail must say who has made it alone. */
async function requireOperator(action: Action): Promise<void> {
  const { fourEyes } = await import("~/lib/four-eyes.server");
  const { isGrantedByTwo } = await import("~/domain/accounts/administration/dual-control.policy");
  const { changedRight } = await import("~/domain/accounts/administration/user-administration.policy");
  const change = changedRight(action);
  if (fourEyes() === "strict" && change?.isGranted && isGrantedByTwo(change.right))
    throw new Error(
      `Under the strict four-eyes principle, the right ${RIGHT_NAMES[change.right]} needs --operator WHO, the name of whoever runs the command.`,
    );
}

/** Performs an action of the account page and prints `done` with the user name of the account. */
async function administer(action: Action, login: string, done: string, given: Given = {}): Promise<void> {
  const { reason, operator, althoughCustomer = false } = given;
  const { administerAccount } = await import("~/domain/accounts/administration/user-administration.service.server");
  requireTexts(given, await reasonLimit());
  if (operator === undefined) await requireOperator(action);
  const { id, username } = await getAccount(login);
  await administerAccount({
    action,
    id,
    isLastResort: althoughCustomer,
    actor: await operatorActor(operator),
    ...(reason !== undefined && { reason }),
  });
  say(`${done} ${username}`);
}

async function erase(login: string, { operator, reason, yes }: Given): Promise<void> {
  if (!yes) await askToType("erase", `The personal data of ${login} are erased for good.`);
  await administer("erase", login, "Erased the personal data of", { operator, reason });
}

/** Allows the password of an account for a day and prints until when. */
async function allowPasswordOf(login: string, { operator, reason }: Required<Given>): Promise<void> {
  const { allowPassword } = await import("~/domain/accounts/single-sign-on/allow-password.server");
  requireTexts({ operator, reason }, await reasonLimit());
  const { id, username } = await getAccount(login);
  const until = await allowPassword(id, await operatorActor(operator), reason);
  say(`Allowed the password of ${username} until ${until.toISOString()}`);
}

const LOGIN = ["<email>", "email or user name"] as const;
const rightArgument = () =>
  new Argument("<right>", "the right").argParser((name: string): Right => {
    const right = RIGHTS.find((one) => [one, RIGHT_NAMES[one].toLowerCase()].includes(name.toLowerCase()));
    if (!right) throw new InvalidArgumentError(`The rights are: ${namesOfRights(RIGHTS).join(", ")}.`);
    return right;
  });

/**
 * Adds the commands for actions that administrators also have on the page of an account: disable, enable, lock, end sessions, reset factors,
 * erase, grant, withdraw.
 */
export function addAdministration(users: Command): void {
  users
    .command("disable")
    .argument(...LOGIN)
    .option(...OPERATOR_OR_LOGIN)
    .requiredOption("--reason <text>", "why; kept in the audit trail")
    .description("keep an account from logging in and end its sessions")
    .action((login: string, given: Given) => withDatabase(() => administer("disable", login, "Disabled", given)));
  users
    .command("lock")
    .argument(...LOGIN)
    .option(...OPERATOR_OR_LOGIN)
    .requiredOption("--reason <text>", "why; kept in the audit trail")
    .description("keep an account from logging in and from recovering its password until it is unlocked")
    .action((login: string, given: Given) => withDatabase(() => administer("lock", login, "Locked", given)));
  users
    .command("enable")
    .argument(...LOGIN)
    .option(...OPERATOR_OR_LOGIN)
    .description("let a disabled account log in again")
    .action((login: string, given: Given) => withDatabase(() => administer("enable", login, "Enabled", given)));
  users
    .command("end-sessions")
    .argument(...LOGIN)
    .requiredOption(...OPERATOR)
    .description("log an account out everywhere, in browsers and in programs")
    .action((login: string, { operator }: { operator: string }) =>
      withDatabase(() => administer("end-sessions", login, "Ended all sessions of", { operator })),
    );
  users
    .command("reset-factor")
    .argument(...LOGIN)
    .requiredOption(...OPERATOR)
    .requiredOption("--reason <text>", "why, and how the owner was recognised; kept in the audit trail")
    .description("remove all second factors of an account, when no two user administrators can")
    .action((login: string, { operator, reason }: Required<Given>) =>
      withDatabase(() => administer("reset-factors", login, "Reset the second factors of", { operator, reason })),
    );
  users
    .command("erase")
    .argument(...LOGIN)
    .requiredOption(...OPERATOR)
    .requiredOption("--reason <text>", "why, without the person's name; kept in the audit trail")
    .description("erase the personal data of an account for good, by the same rules as on its page")
    .option(...YES)
    .action((login: string, given: Given) => withDatabase(() => erase(login, given)));
  users
    .command("allow-password")
    .argument(...LOGIN)
    .requiredOption(...OPERATOR)
    .requiredOption("--reason <text>", "why; kept in the audit trail")
    .description("let a member of staff log in with the password for a day although staff use single sign-on")
    .action((login: string, given: Required<Given>) => withDatabase(() => allowPasswordOf(login, given)));
  users
    .command("grant")
    .argument(...LOGIN)
    .addArgument(rightArgument())
    .option(...OPERATOR_OR_LOGIN)
    .option(
      "--although-customer",
      "last resort: give a right of staff to a member of a customer company, which the audit trail then says",
    )
    .description("give an account a right")
    .action((login: string, right: Right, given: Given) =>
      withDatabase(() => administer(`grant-${right}`, login, `Granted ${RIGHT_NAMES[right]} to`, given)),
    );
  users
    .command("withdraw")
    .argument(...LOGIN)
    .addArgument(rightArgument())
    .option(...OPERATOR_OR_LOGIN)
    .description("take a right from an account; it ends with the next request")
    .action((login: string, right: Right, given: Given) =>
      withDatabase(() => administer(`withdraw-${right}`, login, `Withdrew ${RIGHT_NAMES[right]} from`, given)),
    );
}
