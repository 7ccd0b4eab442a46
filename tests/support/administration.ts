import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { lockAdministrators } from "~db/repositories/user-administration.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { untilOthersWait } from "./lock-waits";
import { errorsOf, run, type Visitor } from "./visitor";

interface Account {
  id: number;
}

export const paramsOf = ({ id }: Account) => ({ id: String(id) });

/** Presses a button on an account's page as an administrator. */
export const administer = async (visitor: Visitor, user: Account, fields: Record<string, string>): Promise<Response> =>
  run(userPage.action, await visitor.post(`/home/users/${user.id}`, fields), paramsOf(user));

/** Presses the button and answers the question with Yes. */
export const confirmed = (visitor: Visitor, user: Account, fields: Record<string, string>): Promise<Response> =>
  administer(visitor, user, { ...fields, confirmed: "yes" });

/** Returns the message above the fields of a refused form. */
export const refusalOf = async (response: Response) => (await errorsOf(response)).errors.form;

export async function storedUser({ id }: Account) {
  const row = await findUserById(getDb(), id);
  if (!row) throw new Error(`There is no account ${id}.`);
  return row;
}

/** Returns the audit entries about an account, oldest first. */
export const auditAbout = ({ id }: Account) =>
  getDb().selectFrom("auditEntries").selectAll().where("userId", "=", id).orderBy("id").execute();

/** Runs these requests concurrently. All of them wait for the lock of the administrators before any of them continues. */
export async function atOnce(...requests: (() => Promise<Response>)[]): Promise<Response[]> {
  const started: Promise<Response>[] = [];
  await inTransaction(async (trx) => {
    await lockAdministrators(trx);
    started.push(...requests.map((request) => request()));
    await untilOthersWait(requests.length);
  });
  return Promise.all(started);
}
