import { type CsvRow } from "~/lib/csv/csv-file.server";
import { nested, rowProblems, type RowProblem } from "~/lib/csv/csv-rows.server";
import { isEmail } from "~/lib/fields";
import { getDb } from "~db/connection.server";
import { listByLogins } from "~db/repositories/account-import.server";
import { type ImportedAccount, type importSchema, usernameOf } from "./import.schema";

export interface ReadRow {
  line: number;
  /** The user name, also known when other cells of the row are wrong: an account that exists is not changed, whatever its row contains. */
  username: string | null;
  /** What the row contains, by column. Null when it has not as many cells as the header. */
  cells: CsvRow["cells"];
  /** Null when the row is wrong. */
  account: ImportedAccount | null;
  problems: RowProblem[];
}

/** Parses one row. Returns the account, or all problems of the row. */
export function readRow(row: CsvRow, schema: ReturnType<typeof importSchema>): ReadRow {
  const { line, cells } = row;
  const username = usernameOf(cells?.username);
  const wrong = (problems: RowProblem[]) => ({ line, username, cells, account: null, problems });
  const foul = rowProblems(row);
  if (!cells) return wrong(foul);
  const { data: account, error } = schema.safeParse(nested(cells));
  const broken = (error?.issues ?? []).map(({ path, message }) => ({ field: path.join("."), message }));
  const others = broken.filter(({ field }) => !foul.some((one) => one.field === field));
  const problems = [...foul, ...others];
  return account && problems.length === 0 ? { line, username, cells, account, problems } : wrong(problems);
}

/** The error for a user name that is the email address of another account. A login could refer to either of them. */
const AMBIGUOUS = "This user name is the email address of another account.";
const isForeign = ({ username, email }: { username: string; email: string }) => username !== email && isEmail(username);

type Reported = (line: number, problem: RowProblem) => void;

/** Finds conflicts of user names and emails among the rows of the file. */
export class FileNames {
  private readonly lines = new Map<string, number>();
  private readonly foreign = new Map<string, number>();
  private readonly emails = new Set<string>();

  add({ username, email }: ImportedAccount, line: number, report: Reported): void {
    const first = this.lines.get(username);
    if (first !== undefined)
      return report(line, { field: "username", message: `Line ${first} has this user name, too.` });
    this.lines.set(username, line);
    this.emails.add(email);
    if (isForeign({ username, email })) this.foreign.set(username, line);
  }

  /** Must be called after the last row. */
  finish(report: Reported): void {
    for (const [username, line] of this.foreign)
      if (this.emails.has(username)) report(line, { field: "username", message: AMBIGUOUS });
  }
}

/** Returns the existing accounts that the user names and emails of the rows could refer to. */
export async function findAccounts(rows: readonly ReadRow[]) {
  const logins = rows.flatMap(({ username, account }) =>
    [username, account?.email].filter((name) => typeof name === "string"),
  );
  const found = logins.length === 0 ? [] : await listByLogins(getDb(), [...new Set(logins)]);
  return {
    byName: new Map(found.map((user) => [user.username, user])),
    emails: new Set(found.map(({ email }) => email)),
  };
}

/** Reports conflicts between a new account and the existing ones. */
export function checkAgainstAccounts(
  account: ImportedAccount,
  line: number,
  { byName, emails }: Awaited<ReturnType<typeof findAccounts>>,
  report: Reported,
): void {
  const owner = byName.get(account.email);
  if (isForeign(account) && emails.has(account.username)) report(line, { field: "username", message: AMBIGUOUS });
  if (owner && owner.email !== account.email)
    report(line, { field: "email", message: "This email address is the user name of another account." });
}
