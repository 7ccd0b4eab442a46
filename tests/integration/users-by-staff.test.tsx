import { beforeAll, describe, expect, test } from "vitest";
import * as resetLink from "~/routes/_public.reset-code_.$token.$email";
import * as verifyPage from "~/routes/_public.verify-email.$token";
import * as userPage from "~/routes/home.users.$id/route";
import * as detailsPage from "~/routes/home.users.$id_.details";
import * as newUserPage from "~/routes/home.users.new";
import { getDb } from "~db/connection.server";
import { listUsersByLogin, updateUser } from "~db/repositories/users.server";
import { administer, auditAbout, confirmed, paramsOf, refusalOf, storedUser } from "../support/administration";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { pageText, textsOf, valueOf } from "../support/page";
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
  confirmed: "yes",
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

  test("[MAN-02] for a company whose name another one has is asked about first, and keeps what was typed", async () => {
    const user = await createUser({ company: "Müller Guss AG" });
    const fields = person({ company: "MÜLLER Guss AG", confirmed: "" });
    const asked = await jsonOf<{ asked: object; namesakes: object[] }>(await send(fields));
    expect(asked.namesakes).toEqual([{ id: user.companyId, name: "Müller Guss AG", isLinked: true }]);
    expect(asked.asked).toMatchObject({ company: "MÜLLER Guss AG", email: fields.email });
    const { html } = await openPage(newUserPage, staff, PATH, { fields });
    expect(pageText(html)).toContain("A company with this name exists already.");
    expect(await listUsersByLogin(getDb(), fields.email)).toEqual([]);
    expect((await send({ ...fields, confirmed: "yes" })).status).toBe(303);
    expect(await listUsersByLogin(getDb(), fields.email)).toHaveLength(1);
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

const DETAILS = ["firstName", "lastName", "position", "telephoneNumber", "email", "version", "opened"];

/** Opens the form of the details of a person, and returns the page and the values of its fields. */
async function openDetails(user: { id: number }, visitor = staff) {
  const { status, html } = await openPage(detailsPage, visitor, `/home/users/${user.id}/details`, {
    params: paramsOf(user),
  });
  const fields = Object.fromEntries(DETAILS.map((name) => [name, valueOf(html, name)]));
  return { status, html, fields };
}

const sendDetails = async (user: { id: number }, fields: Record<string, string>, visitor = staff) =>
  run(detailsPage.action, await visitor.post(`/home/users/${user.id}/details`, fields), paramsOf(user));

/** Changes details of a person with the form as it is now, and answers the question with Yes. */
const changeDetails = async (user: { id: number }, change: Record<string, string>, visitor = staff) =>
  sendDetails(user, { ...(await openDetails(user, visitor)).fields, ...change, confirmed: "yes" }, visitor);

/** Follows the link in the newest message to an address. */
async function followLink(email: string): Promise<Response> {
  const token = /verify-email\/([\w-]+)/.exec((await mailsTo(email)).at(-1)?.text ?? "")?.[1] ?? "";
  const visitor = await anonymous();
  return run(verifyPage.action, await visitor.post(`/verify-email/${token}`, {}), { token });
}

describe("the details of a person", () => {
  test("[MAN-02] are opened from the head of the account's page, which also leads to the buttons far below", async () => {
    const user = await createUser();
    const { html } = await openPage(userPage, staff, `/home/users/${user.id}`, { params: { id: String(user.id) } });
    expect(textsOf(html, ".page-head a.btn")).toEqual(["Change details", "Administration"]);
    const [heading] = /(?<=<a href="#)[^"]+(?=" class="btn">Administration)/.exec(html) ?? [];
    expect(textsOf(html, `h2[id="${heading}"]`)).toEqual(["Administration"]);
  });

  test("[MAN-02] are changed after a question that lists them, with an audit entry of before and after", async () => {
    const user = await createUser();
    const { fields } = await openDetails(user);
    const change = { ...fields, lastName: "Schmidt", telephoneNumber: "+49 711 555 0199" };
    const question = await jsonOf<{ changes: string[] }>(await sendDetails(user, change));
    expect(question).toMatchObject({
      asked: { lastName: "Schmidt" },
      changes: ["last name from 'Müller' to 'Schmidt'", "telephone from '+44 20 7946 0000' to '+49 711 555 0199'"],
    });
    expect((await storedUser(user)).lastName).toBe("Müller");
    expect((await sendDetails(user, { ...change, confirmed: "yes" })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ lastName: "Schmidt", telephoneNumber: "+49 711 555 0199" });
    expect((await auditAbout(user)).map(({ event, message, actorId }) => ({ event, message, actorId }))).toEqual([
      {
        event: "account.details-updated",
        message: `Changed the user details: ${question.changes.join(", ")}.`,
        actorId: olga.id,
      },
    ]);
    expect((await errorsOf(await changeDetails(user, { firstName: "" }))).errors).toEqual({
      firstName: "This field is required.",
    });
  });

  test("[MAN-02] that somebody changed meanwhile are kept, and the question is asked again; at the same field the form says so", async () => {
    const user = await createUser();
    const { fields } = await openDetails(user);
    await updateUser(getDb(), user.id, { position: "CEO" });
    const sent = { ...fields, lastName: "Schmidt", confirmed: "yes" };
    const asked = await jsonOf<{ asked: Record<string, string>; notes: string[] }>(await sendDetails(user, sent));
    expect(asked).toMatchObject({
      asked: { lastName: "Schmidt", position: "CEO" },
      notes: ["Changed meanwhile, and kept as it is stored: Position"],
    });
    expect((await storedUser(user)).lastName).toBe("Müller");
    expect((await sendDetails(user, { ...asked.asked, confirmed: "yes" })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ lastName: "Schmidt", position: "CEO" });
    const { status, errors } = await errorsOf(await sendDetails(user, { ...sent, lastName: "Other" }));
    expect({ status, names: Object.keys(errors) }).toEqual({ status: 409, names: ["form", "lastName"] });
  });

  test("[MAN-02] include the email: the new address counts once its link is used, and the old one is told who asked", async () => {
    const user = await createUser();
    const email = newEmail();
    expect((await changeDetails(user, { email: email.toUpperCase() })).status).toBe(303);
    expect((await storedUser(user)).email).toBe(user.email);
    expect((await mailsTo(user.email)).at(-1)?.text).toContain("one of our user administrators asked to change");
    expect(pageText((await openAccount(user)).html)).toContain(`New email ${email} Not confirmed`);
    expect((await followLink(email)).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ email, username: email });
    expect((await auditAbout(user)).map(({ event, actorId }) => [event, actorId])).toEqual([
      ["account.email-change-requested", olga.id],
      ["account.email-changed", user.id],
    ]);
    const other = await createUser();
    const { status, errors } = await errorsOf(await changeDetails(other, { email }));
    expect({ status, errors }).toEqual({
      status: 422,
      errors: { email: "An account with this email address already exists." },
    });
  });

  test("[MAN-02] include a new email that a user administrator withdraws, whose link then opens nothing", async () => {
    const user = await createUser();
    const email = newEmail();
    expect(await refusalOf(await administer(staff, user, { intent: "withdraw-email" }))).toBe(
      "No new email address waits to be confirmed.",
    );
    await changeDetails(user, { email });
    expect((await administer(staff, user, { intent: "withdraw-email" })).status).toBe(303);
    await followLink(email);
    expect((await storedUser(user)).email).toBe(user.email);
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.email-change-withdrawn",
      actorId: olga.id,
    });
  });

  test("[MAN-02] of a person without a password: the link to choose one goes to the new address, and the old link ends", async () => {
    const { user, fields } = await made();
    const email = newEmail();
    expect((await changeDetails(user, { email })).status).toBe(303);
    expect(await storedUser(user)).toMatchObject({ email, emailVerifiedAt: null });
    const [[old = ""], [code = ""]] = [await codesFor(fields.email), await codesFor(email)];
    expect((await enterCode(await anonymous(), fields.email, old)).status).toBe(422);
    expect((await enterCode(await anonymous(), email, code)).status).toBe(303);
  });

  test("[MAN-02] the email of a member of staff stays, and so does one of somebody who becomes staff before the link is used", async () => {
    const approver = await createStaff(["approver"], { firstName: "Paul" });
    const { errors } = await errorsOf(await changeDetails(approver, { email: newEmail() }));
    expect(errors.email).toContain("only they change the address");
    expect((await changeDetails(approver, { lastName: "Schmidt" })).status).toBe(303);
    const user = await createUser();
    const email = newEmail();
    await changeDetails(user, { email });
    await confirmed(staff, user, { intent: "grant-approver" });
    await followLink(email);
    expect((await storedUser(user)).email).toBe(user.email);
  });

  test("[MAN-02] stay for the own account, another account of the same person and a closed one, each with the reason", async () => {
    const namesake = await createUser({ firstName: olga.firstName, lastName: olga.lastName });
    const disabled = await createUser({ isDisabled: true });
    for (const [user, reason] of [
      [olga, "You change your own details on the page 'User Details'."],
      [namesake, "another one changes it"],
      [disabled, "The account is disabled."],
    ] as const) {
      expect(JSON.stringify(await jsonOf(await changeDetails(user, { lastName: "Other" })))).toContain(reason);
      expect((await storedUser(user)).lastName).toBe(user.lastName);
    }
  });
});
