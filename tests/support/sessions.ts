import * as login from "~/routes/_public.login";
import * as page from "~/routes/home.sessions";
import { getDb } from "~db/connection.server";
import { type Proof } from "~db/tables";
import { TEST_PASSWORD } from "./factories";
import { openPage } from "./route-page";
import { anonymous, run, type Visitor } from "./visitor";

export const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

/** Headers of a request as server.ts passes them on. */
export const from = (address: string, userAgent = FIREFOX) => ({
  "x-marque-address": address,
  "User-Agent": userAgent,
});

/** Logs in by the form of the login page, in a browser with the cookies of `visitor`, which follows the answer. */
export async function logInWith(
  { email }: { email: string },
  headers: Record<string, string>,
  visitor?: Visitor,
): Promise<Visitor> {
  const browser = visitor ?? (await anonymous());
  const answer = await run(login.action, await browser.post("/login", { email, password: TEST_PASSWORD }, headers));
  if (answer.status !== 303) throw new Error(`Not logged in: ${answer.status}`);
  browser.follow(answer);
  return browser;
}

/** Returns the stored sessions of an account, oldest first. */
export const sessionsOf = ({ id }: { id: number }) =>
  getDb().selectFrom("sessions").selectAll().where("userId", "=", id).orderBy("startedAt").orderBy("id").execute();

/** Makes the sessions of an account older. */
export async function age({ id }: { id: number }, { idle = 0, life = 0 }: { idle?: number; life?: number }) {
  for (const session of await sessionsOf({ id }))
    await getDb()
      .updateTable("sessions")
      .set({
        lastUsedAt: new Date(Date.parse(session.lastUsedAt) - idle),
        expiresAt: new Date(Date.parse(session.expiresAt) - life),
      })
      .where("id", "=", session.id)
      .execute();
}

/** Stores in the sessions of an account that the user has confirmed so many minutes ago who they are. */
export const storeProof = ({ id }: { id: number }, provedBy: Proof, minutesAgo: number) =>
  getDb()
    .updateTable("sessions")
    .set({ provedAt: new Date(Date.now() - minutesAgo * 60_000), provedBy })
    .where("userId", "=", id)
    .execute();

const PATH = "/home/sessions";

/** Opens the page with the user's own sessions. */
export const openSessions = (visitor: Visitor, fields?: Record<string, string>) =>
  openPage(page, visitor, PATH, fields ? { fields } : {});

/** Ends a session, or `others`, with the current password. */
export const endFrom = async (
  visitor: Visitor,
  end: string,
  currentPassword: string = TEST_PASSWORD,
): Promise<Response> => run(page.action, await visitor.post(PATH, { end, currentPassword }));
