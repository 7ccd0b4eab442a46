import { createHash } from "node:crypto";
import { hashAnswer } from "~/domain/accounts/passwords.server";
import { type Shell } from "~/domain/shell";
import { getSession } from "~/http/session.server";
import { loadShell } from "~/http/shell.server";
import * as change from "~/routes/_public.change-password/route";
import * as forgot from "~/routes/_public.forgot-password";
import * as login from "~/routes/_public.login";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { type TokenPurpose } from "~db/tables";
import { createUser } from "./factories";
import { anonymous, jsonOf, run, Visitor } from "./visitor";

export const QUESTION = "What was the name of your first pet?";
export const ANSWER = "Bello";

let answerHash: Promise<string> | undefined;

/** Creates an account with a security question, whose answer is ANSWER. */
export const createMember = async (given: Parameters<typeof createUser>[0] = {}) =>
  createUser({ securityQuestion: QUESTION, securityAnswerHash: await (answerHash ??= hashAnswer(ANSWER)), ...given });

export const mailsTo = (email: string) =>
  getDb().selectFrom("mails").selectAll().where("recipient", "=", email).orderBy("id").execute();

/** Returns the codes in the messages to this address, oldest first. */
export const codesFor = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).map(({ text }) => text.match(/Reset code: +(\S+)/)?.[1] ?? "").filter(Boolean);

/** Requests a code as a new visitor. Returns the visitor, who is redirected to /reset-code, and the newest code ("" when none was sent). */
export async function requestCode(email: string): Promise<{ visitor: Visitor; code: string; response: Response }> {
  const visitor = await anonymous();
  const response = await run(forgot.action, await visitor.post("/forgot-password", { email }));
  visitor.follow(response);
  return { visitor, response, code: (await codesFor(email)).at(-1) ?? "" };
}

export const pathOf = (code: string, email: string) =>
  `/reset-code/${encodeURIComponent(code)}/${encodeURIComponent(email)}`;

/** Posts the form on the page of the link. */
export async function enterCode(visitor: Visitor, email: string, resetCode: string, securityAnswer = ANSWER) {
  const path = pathOf(resetCode, email);
  const params = { token: resetCode, email };
  const response = await run(link.action, await visitor.post(path, { resetCode, securityAnswer }), params);
  visitor.follow(response);
  return response;
}

/** Returns the message of a refused check. */
export const infoOf = async (response: Response): Promise<string | undefined> =>
  (await jsonOf<{ info?: string }>(response)).info;

/** Returns a visitor who has entered the right code and answer and may open /change-password. */
export async function admitted(email: string): Promise<Visitor> {
  const { visitor, code } = await requestCode(email);
  await enterCode(visitor, email, code);
  return visitor;
}

export const tokensOf = (userId: number, purpose: TokenPurpose) =>
  getDb()
    .selectFrom("tokens")
    .selectAll()
    .where("userId", "=", userId)
    .where("purpose", "=", purpose)
    .orderBy("id")
    .execute();

/** Lets an account's tokens expire. */
export const letExpire = (userId: number, purpose: TokenPurpose) =>
  getDb()
    .updateTable("tokens")
    .set({ expiresAt: new Date() })
    .where("userId", "=", userId)
    .where("purpose", "=", purpose)
    .execute();

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Returns the message that the next page shows. */
export const toastOf = async (visitor: Visitor): Promise<string | undefined> =>
  (await getSession(visitor.get("/"))).get("toast")?.text;

/**
 * Returns the message that a browser without a session sees after an answer that ended its session. Throws an Error when somebody is still
 * logged in.
 */
export async function toldAfter(response: Response): Promise<string | undefined> {
  const left = new Visitor("");
  left.follow(response);
  const { user, toast } = await jsonOf<Shell>(await loadShell(left.get("/")));
  if (user) throw new Error("Somebody is signed in.");
  return toast?.text;
}

export const NEW_PASSWORD = "a brand new passphrase";

/** Posts the form of /change-password. The confirmation equals the password unless it is given. */
export async function changePassword(visitor: Visitor, fields: Record<string, string> = {}): Promise<Response> {
  const form = { password: NEW_PASSWORD, confirmPassword: fields.password ?? NEW_PASSWORD, ...fields };
  return run(change.action, await visitor.post("/change-password", form));
}

/** Returns whether this email and password log in. */
export async function logsIn(email: string, password: string): Promise<boolean> {
  const visitor = await anonymous();
  return (await run(login.action, await visitor.post("/login", { email, password }))).status === 303;
}
