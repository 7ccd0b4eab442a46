import { describe, expect, test } from "vitest";
import { hashAnswer } from "~/domain/accounts/passwords.server";
import * as change from "~/routes/_public.change-password/route";
import * as bare from "~/routes/_public.reset-code/route";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { createSeveral, logInAs } from "../support/consolidation";
import { TEST_PASSWORD } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import {
  ANSWER,
  changePassword,
  enterCode,
  infoOf,
  mailsTo,
  NEW_PASSWORD,
  pathOf,
  QUESTION,
  requestCode,
  tokensOf,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, run, type Visitor } from "../support/visitor";

usePortal();

const OTHER_QUESTION = "In which town were you born?";
const OTHER_ANSWER = "Köln";
const INVALID_CODE = "The reset code is not valid or it has expired.";
const INVALID_ANSWER = "The security answer provided does not match with the one stored in your profile.";

/**
 * Creates two accounts with the same email and different questions, of which the second was used last. Returns both with their reset codes.
 */
async function asked(...more: NonNullable<Parameters<typeof createSeveral>[0]>[]) {
  const users = await createSeveral(
    { company: "Old Parts AG", securityQuestion: QUESTION, securityAnswerHash: await hashAnswer(ANSWER) },
    {
      company: "New Parts GmbH",
      securityQuestion: OTHER_QUESTION,
      securityAnswerHash: await hashAnswer(OTHER_ANSWER),
      lastLoginAt: new Date("2026-01-01T00:00:00Z"),
    },
    ...more,
  );
  const { email } = users[0];
  const { visitor } = await requestCode(email);
  const mails = await mailsTo(email);
  const mailOf = ({ username }: { username: string }) =>
    mails.find(({ text }) => new RegExp(`User name: +${username}\\n`).test(text));
  const codeOf = (user: { username: string }) => /Reset code: +(\S+)/.exec(mailOf(user)?.text ?? "")?.[1] ?? "";
  return { users: users as typeof users & { 1: (typeof users)[0] }, email, visitor, mails, mailOf, codeOf };
}

const pageOf = async (email: string, code: string) =>
  (await openPage(link, await anonymous(), pathOf(code, email), { params: { token: code, email } })).html;

const enterBare = async (visitor: Visitor, resetCode: string, securityAnswer: string) =>
  run(bare.action, await visitor.post("/reset-code", { resetCode, securityAnswer }));

describe("several accounts with one email", () => {
  test("[REC-02] get a message each with their name and own link, unless closed", async () => {
    const { users, email, mails, mailOf, codeOf } = await asked({ isDisabled: true });
    expect(mails).toHaveLength(2);
    for (const [user, company] of [
      [users[0], "Old Parts AG"],
      [users[1], "New Parts GmbH"],
    ] as const) {
      const mail = mailOf(user);
      expect(mail?.subject).toBe(`Your password reset code for ${user.username}`);
      expect(mail?.text).toMatch(new RegExp(`Company: +${company}\n`));
      expect(mail?.text).toContain(`${TEST_ORIGIN}${pathOf(codeOf(user), email)}\n`);
      expect(mail?.text).toContain("You get a message with its own code for each of them");
    }
    expect(codeOf(users[0])).not.toBe(codeOf(users[1]));
    expect(await tokensOf(users[2]?.id ?? 0, "reset-password")).toEqual([]);
  });

  test("[REC-02] have codes that each change their own password only; the codes of the others stay valid", async () => {
    const { users, email, codeOf } = await asked();
    for (const [user, answer] of [
      [users[0], ANSWER],
      [users[1], OTHER_ANSWER],
    ] as const) {
      const visitor = await anonymous();
      const accepted = await enterCode(visitor, email, codeOf(user), answer);
      expect(accepted.headers.get("Location")).toBe("/change-password");
      expect((await changePassword(visitor, { password: `${NEW_PASSWORD} ${user.id}` })).status).toBe(303);
      expect((await logInAs(user.username, `${NEW_PASSWORD} ${user.id}`)).response.status).toBe(303);
      expect((await logInAs(user.username, TEST_PASSWORD)).response.status).toBe(422);
    }
  });

  test("[REC-03] show their own question and user name by the link; without the code nothing tells that there are several", async () => {
    const { users, email, visitor, codeOf } = await asked();
    const [first, second] = [await pageOf(email, codeOf(users[0])), await pageOf(email, codeOf(users[1]))];
    expect([first.includes(QUESTION), first.includes(users[0].username)]).toEqual([true, true]);
    expect([second.includes(OTHER_QUESTION), second.includes(users[1].username)]).toEqual([true, true]);
    const { html: form } = await openPage(bare, visitor, "/reset-code");
    for (const html of [form, await pageOf(email, "x".repeat(22))]) {
      expect(html).toContain(OTHER_QUESTION);
      for (const secret of [QUESTION, ...users.map(({ username }) => username), "New Parts", "Old Parts"])
        expect(html).not.toContain(secret);
    }
  });

  test("[REC-03] lead from a code beside another account's question to its own question and use up nothing", async () => {
    const { users, email, visitor, codeOf } = await asked();
    const code = codeOf(users[0]);
    const answer = await enterBare(visitor, ` ${code} `, OTHER_ANSWER);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, pathOf(code, email)]);
    expect(await tokensOf(users[0].id, "reset-password")).toMatchObject([{ failures: 0, usedAt: null }]);
    expect((await enterCode(visitor, email, code)).headers.get("Location")).toBe("/change-password");

    const again = await asked();
    const own = await enterBare(again.visitor, again.codeOf(again.users[1]), OTHER_ANSWER);
    expect(own.headers.get("Location")).toBe("/change-password");
  });

  test("[REC-04] lose no try by wrong codes or the code of another account", async () => {
    const { users, email, codeOf } = await asked();
    const enter = async (code: string, answer = ANSWER) => {
      const response = await enterCode(await anonymous(), email, code, answer);
      return response.status === 303 ? "accepted" : infoOf(response);
    };
    for (let tries = 0; tries < 6; tries += 1) expect(await enter(`guess-${tries}`)).toBe(INVALID_CODE);
    expect(await enter(codeOf(users[0]))).toBe("accepted");
    expect(await enter(codeOf(users[0]))).toBe(INVALID_CODE);
    expect(await enter(codeOf(users[1]), OTHER_ANSWER)).toBe("accepted");
  });

  test("[REC-05] are named on the page that changes the password and in the message afterwards", async () => {
    const { users, email, codeOf } = await asked();
    const visitor = await anonymous();
    await enterCode(visitor, email, codeOf(users[0]));
    const { html } = await openPage(change, visitor, "/change-password");
    expect(pageText(html)).toContain(`Choose a new password for ${users[0].username}.`);
    expect(pageText(html)).not.toContain(`password for ${email}`);
    await changePassword(visitor);
    const told = (await mailsTo(email)).find(({ subject }) => subject === "Your password was changed");
    expect(told?.text).toContain(users[0].username);
  });

  test("[REC-04] count a wrong answer for the code's account alone", async () => {
    const { users, email, codeOf } = await asked();
    const response = await enterCode(await anonymous(), email, codeOf(users[0]), OTHER_ANSWER);
    expect(await infoOf(response)).toBe(INVALID_ANSWER);
    expect(await tokensOf(users[0].id, "reset-password")).toMatchObject([{ failures: 1 }]);
    expect(await tokensOf(users[1].id, "reset-password")).toMatchObject([{ failures: 0 }]);
  });

  test("[REC-02] have all their older codes replaced by new ones", async () => {
    const { users, email, codeOf } = await asked();
    await requestCode(email);
    for (const user of users) {
      const response = await enterCode(await anonymous(), email, codeOf(user), ANSWER);
      expect(await infoOf(response)).toBe(INVALID_CODE);
    }
    expect(await mailsTo(email)).toHaveLength(4);
  });

  test("[REC-02] leave the codes of the old email behind when one gets another email", async () => {
    const { users, email, codeOf } = await asked();
    await updateUser(getDb(), users[0].id, { email: `moved-${email}` });
    for (const address of [email, `moved-${email}`])
      expect(await infoOf(await enterCode(await anonymous(), address, codeOf(users[0])))).toBe(INVALID_CODE);
    const response = await enterCode(await anonymous(), email, codeOf(users[1]), OTHER_ANSWER);
    expect(response.headers.get("Location")).toBe("/change-password");
  });
});
