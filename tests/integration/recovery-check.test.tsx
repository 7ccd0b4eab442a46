import { describe, expect, test } from "vitest";
import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  admitted,
  ANSWER,
  changePassword,
  createMember,
  enterCode,
  infoOf,
  letExpire,
  logsIn,
  mailsTo,
  NEW_PASSWORD,
  pathOf,
  requestCode,
  tokensOf,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run } from "../support/visitor";

usePortal();

const INVALID_CODE = "The reset code is not valid or it has expired.";
const INVALID_ANSWER = "The security answer provided does not match with the one stored in your profile.";
const LOCKED = "Your account is locked. Please contact system administrator for further instructions.";

const check = async (email: string, code: string, answer = ANSWER) => {
  const response = await enterCode(await anonymous(), email, code, answer);
  return response.status === 303 ? "accepted" : infoOf(response);
};

/** Returns an account, its newest code, and a wrong code in the same format. */
const withCode = async (given: Parameters<typeof createMember>[0] = {}) => {
  const user = await createMember(given);
  const { code } = await requestCode(user.email);
  return { user, email: user.email, code, wrong: code.startsWith("A") ? `B${code.slice(1)}` : `A${code.slice(1)}` };
};

describe("a check that fails", () => {
  test("[REC-04] a wrong code, an unknown e-mail, and the code of another e-mail", async () => {
    const { email, code, wrong } = await withCode();
    const other = await withCode();
    expect(await check(email, wrong)).toBe(INVALID_CODE);
    expect(await check("unknown@example-parts.com", code)).toBe(INVALID_CODE);
    expect(await check(other.email, code)).toBe(INVALID_CODE);
    expect(await check(email, code)).toBe("accepted");
    expect(await check(other.email, other.code)).toBe("accepted");
  });

  test("[REC-04] a wrong answer; the right one is compared without case and outer spaces", async () => {
    const { email, code } = await withCode();
    for (const answer of ["Bell", "Bello!", "🐕", "בלו"]) expect(await check(email, code, answer)).toBe(INVALID_ANSWER);
    expect(await check(email, code, "  bELLO ")).toBe("accepted");
  });

  test("[REC-02] [REC-04] a code can be used once", async () => {
    const { email, code } = await withCode();
    expect(await check(email, code)).toBe("accepted");
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] of several checks of one code at the same moment one succeeds", async () => {
    const { email, code, user } = await withCode();
    const answers = await Promise.all([1, 2, 3, 4].map(() => check(email, code)));
    expect(answers.filter((answer) => answer === "accepted")).toHaveLength(1);
    expect(answers.filter((answer) => answer === INVALID_CODE)).toHaveLength(3);
    expect((await tokensOf(user.id, "change-password")).filter(({ usedAt }) => usedAt === null)).toHaveLength(1);
  });

  test("[REC-02] [REC-04] a code that is too old", async () => {
    const { email, code, user } = await withCode();
    await letExpire(user.id, "reset-password");
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] wrong codes, older ones too, take no try of the one that was sent: a stranger could use it up", async () => {
    const { email, code: older, wrong, user } = await withCode();
    const { code } = await requestCode(email);
    for (let tries = 0; tries < 4; tries += 1)
      for (const bad of [wrong, older]) expect(await check(email, bad)).toBe(INVALID_CODE);
    expect((await tokensOf(user.id, "reset-password")).map(({ failures }) => failures)).toEqual([0, 0]);
    expect(await check(email, code)).toBe("accepted");
    expect((await findUserById(getDb(), user.id))?.lockedUntil).toBeNull();
  });

  test("[REC-04] five wrong answers end the code, and the fifth says so; they do not lock the account", async () => {
    const { email, code, user } = await withCode();
    for (let tries = 0; tries < 4; tries += 1) expect(await check(email, code, "Rex")).toBe(INVALID_ANSWER);
    for (const answer of ["Rex", "Rex", ANSWER]) expect(await check(email, code, answer)).toBe(INVALID_CODE);
    expect((await findUserById(getDb(), user.id))?.lockedUntil).toBeNull();
    const { code: next } = await requestCode(email);
    expect(await check(email, next)).toBe("accepted");
  });

  test("[REC-04] [LOG-03] an account that wrong passwords have locked gets a code that works, and is open afterwards", async () => {
    const user = await createMember();
    const lockedUntil = new Date(Date.now() + 60_000);
    await updateUser(getDb(), user.id, { lockedUntil });
    const visitor = await admitted(user.email);
    expect((await changePassword(visitor)).headers.get("Location")).toBe("/");
    expect(await logsIn(user.email, NEW_PASSWORD)).toBe(true);
  });

  test("[REC-04] of many answers at the same moment five are judged, none more", async () => {
    const { email, code, user } = await withCode();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => check(email, code, `Rex ${index}`)));
    expect(answers.filter((answer) => answer === INVALID_ANSWER)).toHaveLength(4);
    expect(answers.filter((answer) => answer === INVALID_CODE)).toHaveLength(8);
    expect((await tokensOf(user.id, "reset-password"))[0]?.failures).toBe(5);
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] an administrator's lock is told to who has the code, and to nobody else; no further code is sent", async () => {
    const { email, code, wrong, user } = await withCode();
    await administerAccount({ action: "lock", id: user.id, actor: systemActor("test"), reason: "Stolen laptop" });
    expect(await check(email, wrong)).toBe(INVALID_CODE);
    expect(await check(email, code, "Rex")).toBe(LOCKED);
    expect(await check(email, code)).toBe(LOCKED);
    expect((await requestCode(email)).code).toBe(code);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      "Your password reset code",
      "Your account is locked",
      "Your password cannot be reset",
    ]);
    await administerAccount({ action: "unlock", id: user.id, actor: systemActor("test") });
    expect(await check(email, code)).toBe("accepted");
  });

  test.each([
    ["disabled", { isDisabled: true }],
    ["given another e-mail", { email: "moved@example-parts.com" }],
  ])("[REC-04] the code of an account that was %s since is worth nothing", async (_what, change) => {
    const { email, code, user } = await withCode();
    await updateUser(getDb(), user.id, change);
    expect(await check(email, code)).toBe(INVALID_CODE);
  });
});

describe("the page of a link whose code cannot be used", () => {
  const opened = async (code: string, email: string) => {
    const { html, status } = await openPage(link, await anonymous(), pathOf(code, email), {
      params: { token: code, email },
    });
    expect(status).toBe(200);
    return textsOf(html, '[role="alert"] > [class="note"]');
  };
  const OVER = `${INVALID_CODE} Ask for a new code`;

  test("[REC-03] a code that can be used: nothing; one that was used, is too old, unknown or has no tries left: that, at once", async () => {
    const { email, code, wrong } = await withCode();
    expect(await opened(code, email)).toEqual([]);
    expect(await opened(wrong, email)).toEqual([OVER]);
    expect(await opened(code, "unknown@example-parts.com")).toEqual([OVER]);
    await check(email, code);
    expect(await opened(code, email)).toEqual([OVER]);
    const late = await withCode();
    await letExpire(late.user.id, "reset-password");
    expect(await opened(late.code, late.email)).toEqual([OVER]);
    const tried = await withCode();
    for (let tries = 0; tries < 5; tries += 1) await check(tried.email, tried.code, "Rex");
    expect(await opened(tried.code, tried.email)).toEqual([OVER]);
  });

  test("[REC-03] one that a newer one has replaced: where that is; of a locked account: that it is locked", async () => {
    const { email, code, user } = await withCode();
    const { code: newer } = await requestCode(email);
    expect(await opened(code, email)).toEqual([
      `${INVALID_CODE} A newer one was sent to you: please use the newest message. Ask for a new code`,
    ]);
    await updateUser(getDb(), user.id, { adminLockedAt: new Date() });
    for (const sent of [code, newer]) expect(await opened(sent, email)).toEqual([LOCKED]);
  });
});

describe("the page after a check that fails", () => {
  test("[REC-04] tells the message as information, keeps the code and never the answer", async () => {
    const { email, code } = await withCode();
    const { html, status } = await openPage(link, await anonymous(), pathOf(code, email), {
      params: { token: code, email },
      fields: { resetCode: code, securityAnswer: "Rex the wrong dog", __rvfInternalFormId: "reset-code" },
    });
    expect(status).toBe(422);
    expect(textsOf(html, '[role="alert"] > [class="note"]')).toEqual([INVALID_ANSWER]);
    expect(html).not.toContain("There is a problem");
    expect(valueOf(html, "resetCode")).toBe(code);
    expect(html).not.toContain("Rex the wrong dog");
  });

  test.each([
    ["", "This field is required."],
    ["   ", "This field is required."],
    ["x".repeat(201), "Entered value is not valid."],
  ])("[REC-04] code and answer are required, not only spaces, and have an end: '%s'", async (text, message) => {
    const { email, code, user } = await withCode();
    const response = await enterCode(await anonymous(), email, code, text);
    expect(await errorsOf(response)).toEqual({
      status: 422,
      errors: { securityAnswer: message },
      values: { resetCode: code },
    });
    const path = pathOf(code, email);
    const sent = await (await anonymous()).post(path, { resetCode: text, securityAnswer: ANSWER });
    expect((await errorsOf(await run(link.action, sent, { token: code, email }))).errors).toEqual({
      resetCode: message,
    });
    expect((await tokensOf(user.id, "reset-password"))[0]?.failures).toBe(0);
  });

  test("[REC-04] an answer of 200 characters is judged", async () => {
    const { email, code } = await withCode();
    expect(await check(email, code, "x".repeat(200))).toBe(INVALID_ANSWER);
  });

  test("[REC-04] a form without its CSRF token takes no try", async () => {
    const { email, code, user } = await withCode();
    const visitor = await anonymous();
    const foreign = await (await anonymous()).post("/", {});
    for (const csrf of ["", "x", new URLSearchParams(await foreign.text()).get("csrf") ?? ""]) {
      const request = await visitor.post(pathOf(code, email), { resetCode: code, securityAnswer: "Rex", csrf });
      expect((await run(link.action, request, { token: code, email })).status).toBe(403);
    }
    expect((await tokensOf(user.id, "reset-password"))[0]).toMatchObject({ failures: 0, usedAt: null });
    expect(await mailsTo(email)).toHaveLength(1);
  });
});
