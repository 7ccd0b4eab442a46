import { addFactor } from "~/domain/accounts/factors/factors.service.server";
import { sealTotpSecret } from "~/domain/accounts/factors/totp-secrets.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { newTotpSecret } from "~/lib/totp.server";
import * as login from "~/routes/_public.login";
import * as factorPage from "~/routes/_public.login_.factor/route";
import * as appPage from "~/routes/_public.second-factors_.app/route";
import { getDb } from "~db/connection.server";
import { App, keyOn } from "./authenticator-app";
import { TEST_PASSWORD } from "./factories";
import { pageText } from "./page";
import { openPage } from "./route-page";
import { anonymous, run, type Visitor } from "./visitor";

interface Account {
  id: number;
  email: string;
  sessionEpoch?: number;
}

/**
 * Gives an account an authenticator app. Returns the app and the recovery codes of the account. The sessions that the test has opened go on,
 * as if the app had been added before them.
 */
export async function giveApp({ id, sessionEpoch = 0 }: Account): Promise<{ app: App; codes: string[] }> {
  const secret = newTotpSecret();
  const user = await findSessionUser({ id, epoch: sessionEpoch });
  if (!user) throw new Error("There is no such user.");
  const codes = await addFactor(user, { kind: "totp", name: "Work phone", secret: sealTotpSecret(secret, id) });
  const ended = getDb().updateTable("sessions").where("userId", "=", id).where("endReason", "=", "factor");
  await ended.set({ endedAt: null, endReason: null }).execute();
  return { app: new App(secret), codes: codes ?? [] };
}

/** Enters the password, which is that of the tests unless it is given. Returns the browser, which waits for the second factor, and the answer. */
export async function enterPassword(
  { email }: Pick<Account, "email">,
  headers: Record<string, string> = {},
  password = TEST_PASSWORD,
) {
  const visitor = await anonymous();
  const answer = await run(login.action, await visitor.post("/login", { email, password }, headers));
  visitor.follow(answer);
  return { visitor, answer };
}

/** Enters a code on the second page of the login. */
export async function enterFactor(visitor: Visitor, code: string, headers: Record<string, string> = {}) {
  const answer = await run(factorPage.action, await visitor.post("/login/factor", { code }, headers));
  visitor.follow(answer);
  return answer;
}

/** Opens the page of a new app, as a browser does. Returns its address, its HTML and the app that has scanned the code. */
export async function scannedApp(visitor: Visitor) {
  const answer = await run(appPage.loader, visitor.get("/second-factors/app"));
  const address = answer.headers.get("Location") ?? "";
  const { html } = await openPage(appPage, visitor, address);
  return { address, html, phone: new App(keyOn(pageText(html))) };
}
