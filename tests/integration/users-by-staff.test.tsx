import { beforeAll, describe, expect, test } from "vitest";
import * as resetLink from "~/routes/_public.reset-code_.$token.$email";
import * as userPage from "~/routes/home.users.$id/route";
import * as newUserPage from "~/routes/home.users.new";
import { getDb } from "~db/connection.server";
import { listUsersByLogin, updateUser } from "~db/repositories/users.server";
import { administer, auditAbout, confirmed, paramsOf, refusalOf, storedUser } from "../support/administration";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  changePassword,
  codesFor,
  createMember,
  enterCode,
  logsIn,
  mailsTo,
  NEW_PASSWORD,
  pathOf,
  QUESTION,
  requestCode,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import { newEmail } from "../support/user-details";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

type User = Awaited<ReturnType<typeof createUser>>;
let olga: User;
let staff: Visitor;

beforeAll(async () => {
  olga = await createAdmin();
  staff = await signedInAs(olga);
});

const PATH = "/home/users/new";
const person = (given: Record<string, string> = {}) => ({
  firstName: "Bruno",
  lastName: "Keller",
  email: newEmail(),
  company: "Keller Logistics GmbH",
  position: "EDI manager",
  telephoneNumber: "+49 711 555 0100",
  ...given,
});

const send = async (fields: Record<string, string>, visitor = staff): Promise<Response> =>
  run(newUserPage.action, await visitor.post(PATH, fields));

/** Makes an account for a person. */
async function made(given: Record<string, string> = {}) {
  const fields = person(given);
  const response = await send(fields);
  expect(response.status).toBe(303);
  const [user] = await listUsersByLogin(getDb(), fields.email.toLowerCase());
  if (!user) throw new Error("No account was made.");
  return { fields, response, user };
}

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Returns how long the newest link of an account can be used, in milliseconds. */
async function lifeOfLink({ id }: { id: number }): Promise<number> {
  const token = await getDb()
    .selectFrom("tokens")
    .selectAll()
    .where("userId", "=", id)
    .where("purpose", "=", "reset-password")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return Date.parse(token.expiresAt) - Date.parse(token.createdAt);
}

const openAccount = (user: { id: number }, visitor = staff) =>
  openPage(userPage, visitor, `/home/users/${user.id}`, { params: paramsOf(user) });

describe("a new user", () => {
  test("[MAN-02] is made without a password; the link in the message chooses one, confirms the address and is used once", async () => {
    const { fields, response, user } = await made();
    expect(response.headers.get("Location")).toBe(`/home/users/${user.id}`);
    expect(user).toMatchObject({
      firstName: "Bruno",
      lastName: "Keller",
      company: "Keller Logistics GmbH",
      position: "EDI manager",
      telephoneNumber: "+49 711 555 0100",
      role: "owner",
      isApplicant: true,
      isAdmin: false,
      emailVerifiedAt: null,
      mustChangePassword: true,
    });
    expect((await auditAbout(user)).map(({ event, actorId }) => [event, actorId])).toEqual([
      ["account.created", olga.id],
    ]);
    const mails = await mailsTo(fields.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Choose the password of your account"]);
    expect(mails[0]?.text).toContain("valid for 7 days");
    expect(await lifeOfLink(user)).toBe(7 * DAY);
    expect(pageText((await openAccount(user)).html)).toMatch(/chosen no password yet\. Sent .*, can be used until/);

    const [code = ""] = await codesFor(fields.email);
    const visitor = await anonymous();
    await enterCode(visitor, fields.email, code);
    const question = { securityQuestion: QUESTION, securityAnswer: "Rex" };
    expect((await changePassword(visitor, question)).status).toBe(303);
    expect(await logsIn(fields.email, NEW_PASSWORD)).toBe(true);
    expect((await storedUser(user)).emailVerifiedAt).not.toBeNull();
    const again = await anonymous();
    const page = await run(resetLink.loader, again.get(pathOf(code, fields.email)), {
      token: code,
      email: fields.email,
    });
    expect(await jsonOf(page)).toMatchObject({ dead: "over" });
    expect(pageText((await openAccount(user)).html)).not.toContain("chosen no password yet");
  });

  test("[MAN-02] with an address that somebody has is refused, keeps what was typed and leads to the account", async () => {
    const user = await createUser({ username: `anna.${Date.now()}` });
    const { email } = user;
    for (const taken of [email.toUpperCase(), email]) {
      const { status, errors, values } = await errorsOf(await send(person({ email: taken })));
      expect({ status, errors }).toEqual({
        status: 422,
        errors: { email: "An account with this email address already exists." },
      });
      expect(values).toMatchObject({ company: "Keller Logistics GmbH", email: taken });
    }
    const { html } = await openPage(newUserPage, staff, PATH, { fields: person({ email }) });
    expect(textsOf(html, `main a[href="/home/users/${user.id}"]`)).toEqual([`Account ${user.username}`]);
    expect(await mailsTo(email)).toEqual([]);
  });

  test("[MAN-02] needs what a registration needs, and the error names the field", async () => {
    const { status, errors } = await errorsOf(
      await send({ ...person(), firstName: "", company: " ", email: "nobody", telephoneNumber: "call me" }),
    );
    expect(status).toBe(422);
    expect(Object.keys(errors).toSorted()).toEqual(["company", "email", "firstName", "telephoneNumber"]);
  });

  test("[MAN-02] is made by user administrators only: not by an auditor", async () => {
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const fields = person();
    expect((await send(fields, auditor)).headers.get("Location")).toBe("/home/dashboard");
    expect(await listUsersByLogin(getDb(), fields.email)).toEqual([]);
  });
});

const sendLink = (user: { id: number }, visitor = staff) => confirmed(visitor, user, { intent: "send-reset-link" });

describe("a link to choose a password", () => {
  test("[MAN-02] is asked about, then sent to the address with an audit entry; it replaces the one before and asks the security question", async () => {
    const user = await createMember();
    const question = await administer(staff, user, { intent: "send-reset-link" });
    expect(await jsonOf(question)).toMatchObject({ asked: { intent: "send-reset-link" } });
    expect(await codesFor(user.email)).toEqual([]);
    await requestCode(user.email);
    expect((await sendLink(user)).status).toBe(303);
    const [first = "", second = ""] = await codesFor(user.email);
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe("Choose a new password");
    expect(await lifeOfLink(user)).toBe(60 * MINUTE);
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.reset-code-sent",
      message: "Sent the link to choose a password.",
      actorId: olga.id,
    });
    expect((await enterCode(await anonymous(), user.email, first)).status).toBe(422);
    expect((await enterCode(await anonymous(), user.email, second, "Wrong")).status).toBe(422);
    const visitor = await anonymous();
    await enterCode(visitor, user.email, second);
    expect((await changePassword(visitor)).status).toBe(303);
    expect(await logsIn(user.email, NEW_PASSWORD)).toBe(true);
  });

  test("[MAN-02] lasts seven days for a person who has never logged in and got no password, such as an imported one", async () => {
    const user = await createUser({ mustChangePassword: true, emailVerifiedAt: null });
    expect((await sendLink(user)).status).toBe(303);
    expect(await lifeOfLink(user)).toBe(7 * DAY);
  });

  test("[MAN-02] is not sent where it makes no sense, with the reason", async () => {
    const other = await createUser();
    for (const [change, reason] of [
      [{ isDisabled: true }, "The account is disabled."],
      [{ adminLockedAt: new Date() }, "An administrator has locked the account, so its password cannot be reset."],
      [{ isDisabled: true, mergedInto: other.id }, "The account was merged into another one."],
      [{ isDisabled: true, erasedAt: new Date() }, "The data of this account was erased."],
    ] as const) {
      const user = await createUser();
      await updateUser(getDb(), user.id, change);
      expect(await refusalOf(await sendLink(user))).toBe(reason);
      expect(await mailsTo(user.email)).toEqual([]);
    }
    expect(await refusalOf(await sendLink(olga))).toBe("You change your own password on the page 'User Details'.");
  });
});
