import { randomBytes } from "node:crypto";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import * as page from "~/routes/_public.consolidate-users/route";
import * as loginPage from "~/routes/_public.login";
import { getDb } from "~db/connection.server";
import { OWNED_TABLES } from "~db/repositories/account-merge.server";
import { issueToken } from "~db/repositories/tokens.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "./certificates";
import { createAvailableCodes, createCode } from "./codes";
import { createUser, TEST_PASSWORD } from "./factories";
import { anonymous, jsonOf, run, type Visitor } from "./visitor";

type Given = NonNullable<Parameters<typeof createUser>[0]>;

/** Creates accounts that share an email. No user name is the email, not even that of the first account. */
export async function createSeveral(...each: Given[]) {
  const email = `shared-${randomBytes(4).toString("hex")}@example-parts.com`;
  const users = [];
  for (const [index, given] of each.entries())
    users.push(await createUser({ email, username: `${email.slice(0, 15)}.${index}`, ...given }));
  return users as Awaited<ReturnType<typeof createUser>>[] & { 0: Awaited<ReturnType<typeof createUser>> };
}

/** Logs in through the login page. Returns the visitor and the answer. */
export async function logInAs(
  name: string,
  password = TEST_PASSWORD,
): Promise<{ visitor: Visitor; response: Response }> {
  const visitor = await anonymous();
  const response = await run(loginPage.action, await visitor.post("/login", { email: name, password }));
  visitor.follow(response);
  return { visitor, response };
}

export interface Shown {
  version: string;
  accounts: { id: number; username: string; isOwn: boolean; certificates: number; codes: number; orders: number }[];
  details: { name: string; options: { accountId: number; text: string }[] }[];
  rules: { choices: Record<string, string[]>; passwordMinLength: number | null };
  isVerified: boolean;
}

/** Returns the data of the page. */
export const consolidation = async (visitor: Visitor): Promise<Shown> =>
  jsonOf<Shown>(await run(page.loader, visitor.get("/consolidate-users")));

/** Returns the fields that the page sends after confirmation when nothing is changed, which are the own details. */
export const untouched = ({ version, rules }: Shown): Record<string, string> => ({
  version,
  confirmed: "yes",
  ...Object.fromEntries(Object.entries(rules.choices).map(([name, [own]]) => [name, own ?? ""])),
});

/** Sends the page's form with these changes, and confirms the question. */
export async function merge(visitor: Visitor, change: Record<string, string | undefined> = {}): Promise<Response> {
  const shown = await consolidation(visitor);
  const response = await send(visitor, { ...untouched(shown), confirmed: undefined, ...change });
  if (response.status !== 200) return response;
  const { asked } = await jsonOf<{ asked: Record<string, string> }>(response);
  return send(visitor, { ...asked, confirmed: "yes" });
}

export const send = async (visitor: Visitor, fields: Record<string, string | undefined>): Promise<Response> =>
  run(page.action, await visitor.post("/consolidate-users", fields));

export async function readUser(id: number): Promise<UserRow> {
  const user = await findUserById(getDb(), id);
  if (!user) throw new Error(`There is no account ${id}.`);
  return user;
}

export type Account = Awaited<ReturnType<typeof createUser>>;

/** Gives an account two certificates and their orders, a draft, two addresses, a link and a setting. */
export async function furnish(user: Account) {
  const rows = [await createCertificateOrder(user), await createCertificateOrder(user)];
  const draft = await startDraft(purchaseWizard, user.id);
  const code = await createCode(user);
  await createCode(user, { code: code.code, subcode: "01", parentId: code.id });
  const codesOrderId = await createAvailableCodes(user, "Basic", 3);
  const lifetimeMs = 60_000;
  const link = await inTransaction((trx) =>
    issueToken(trx, { purpose: "verify-email", email: user.email, userId: user.id, lifetimeMs }),
  );
  await getDb()
    .insertInto("settings")
    .values([
      { name: `own-${user.id}`, userId: user.id, value: "x", updatedAt: new Date() },
      { name: "queryParams", userId: user.id, value: String(user.id), updatedAt: new Date() },
    ])
    .execute();
  return {
    certificateIds: rows.map(({ id }) => id),
    orderIds: [...rows.map(({ orderId }) => orderId), codesOrderId],
    draft,
    link,
  };
}

export async function countsOf(...users: { id: number }[]): Promise<Record<string, number>> {
  const ids = users.map(({ id }) => id);
  const counts: Record<string, number> = {};
  for (const table of [...OWNED_TABLES, "settings"] as const) {
    const { count } = await getDb()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("userId", "in", ids)
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  return counts;
}

export const auditOf = (userId: number) =>
  getDb()
    .selectFrom("auditEntries")
    .select(["event", "message", "actorName"])
    .where("userId", "=", userId)
    .orderBy("id")
    .execute();
