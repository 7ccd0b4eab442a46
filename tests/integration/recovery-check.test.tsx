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

describe("a check of a reset code fails", () => {
  test("[REC-04] for a wrong code, an unknown email, and the code of another email", async () => {
    const { email, code, wrong } = await withCode();
    const other = await withCode();
    expect(await check(email, wrong)).toBe(INVALID_CODE);
    expect(await check("unknown@example-parts.com", code)).toBe(INVALID_CODE);
    expect(await check(other.email, code)).toBe(INVALID_CODE);
    expect(await check(email, code)).toBe("accepted");
    expect(await check(other.email, other.code)).toBe("accepted");
  });

  test("[REC-04] for a wrong answer; the right one is compared without case and surrounding spaces", async () => {
    const { email, code } = await withCode();
    for (const answer of ["Bell", "Bello!", "🐕", "בלו"]) expect(await check(email, code, answer)).toBe(INVALID_ANSWER);
    expect(await check(email, code, "  bELLO ")).toBe("accepted");
  });

  test("[REC-02] [REC-04] the second time", async () => {
    const { email, code } = await withCode();
    expect(await check(email, code)).toBe("accepted");
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] for all but one of several simultaneous checks of a code", async () => {
    const { email, code, user } = await withCode();
    const answers = await Promise.all([1, 2, 3, 4].map(() => check(email, code)));
    expect(answers.filter((answer) => answer === "accepted")).toHaveLength(1);
    expect(answers.filter((answer) => answer === INVALID_CODE)).toHaveLength(3);
    expect((await tokensOf(user.id, "change-password")).filter(({ usedAt }) => usedAt === null)).toHaveLength(1);
  });

  test("[REC-02] [REC-04] for an expired code", async () => {
    const { email, code, user } = await withCode();
    await letExpire(user.id, "reset-password");
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] for wrong and older codes without using up tries of the current one, so that strangers cannot", async () => {
    const { email, code: older, wrong, user } = await withCode();
    const { code } = await requestCode(email);
    for (let tries = 0; tries < 4; tries += 1)
      for (const bad of [wrong, older]) expect(await check(email, bad)).toBe(INVALID_CODE);
    expect((await tokensOf(user.id, "reset-password")).map(({ failures }) => failures)).toEqual([0, 0]);
    expect(await check(email, code)).toBe("accepted");
    expect((await findUserById(getDb(), user.id))?.lockedUntil).toBeNull();
  });

  test("[REC-04] for good after five wrong answers, which the fifth says; the account is not locked", async () => {
    const { email, code, user } = await withCode();
    for (let tries = 0; tries < 4; tries += 1) expect(await check(email, code, "Rex")).toBe(INVALID_ANSWER);
    for (const answer of ["Rex", "Rex", ANSWER]) expect(await check(email, code, answer)).toBe(INVALID_CODE);
    expect((await findUserById(getDb(), user.id))?.lockedUntil).toBeNull();
    const { code: next } = await requestCode(email);
    expect(await check(email, next)).toBe("accepted");
  });

  test("[REC-04] [LOG-03] not for an account that wrong passwords have locked: the code works and unlocks it", async () => {
    const user = await createMember();
    const lockedUntil = new Date(Date.now() + 60_000);
    await updateUser(getDb(), user.id, { lockedUntil });
    const visitor = await admitted(user.email);
    expect((await changePassword(visitor)).headers.get("Location")).toBe("/");
    expect(await logsIn(user.email, NEW_PASSWORD)).toBe(true);
  });

  test("[REC-04] for all but five of many simultaneous answers", async () => {
    const { email, code, user } = await withCode();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => check(email, code, `Rex ${index}`)));
    expect(answers.filter((answer) => answer === INVALID_ANSWER)).toHaveLength(4);
    expect(answers.filter((answer) => answer === INVALID_CODE)).toHaveLength(8);
    expect((await tokensOf(user.id, "reset-password"))[0]?.failures).toBe(5);
    expect(await check(email, code)).toBe(INVALID_CODE);
  });

  test("[REC-04] for an account that an administrator has locked, which only the holder of the code learns; no further code is sent", async () => {
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
    ["given another email", { email: "moved@example-parts.com" }],
  ])("[REC-04] for an account that was %s since", async (_what, change) => {
    const { email, code, user } = await withCode();
    await updateUser(getDb(), user.id, change);
    expect(await check(email, code)).toBe(INVALID_CODE);
  });
});

describe("the page of a link with an unusable code", () => {
  const opened = async (code: string, email: string) => {
    const { html, status } = await openPage(link, await anonymous(), pathOf(code, email), {
      params: { token: code, email },
    });
    expect(status).toBe(200);
    return textsOf(html, '[role="alert"] > [class="note"]');
  };
  const OVER = `${INVALID_CODE} Ask for a new code`;

  test("[REC-03] says at once that it was used, is too old, unknown or without tries, and nothing for a usable one", async () => {
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

  test("[REC-03] says that a newer code has been sent, or that the account is locked", async () => {
    const { email, code, user } = await withCode();
    const { code: newer } = await requestCode(email);
    expect(await opened(code, email)).toEqual([
      `${INVALID_CODE} A newer one was sent to you: please use the newest message. Ask for a new code`,
    ]);
    await updateUser(getDb(), user.id, { adminLockedAt: new Date() });
    for (const sent of [code, newer]) expect(await opened(sent, email)).toEqual([LOCKED]);
  });
});

describe("the page after a failed check", () => {
  test("[REC-04] shows the message as information, and keeps the code but never the answer", async () => {
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
  ])("[REC-04] requires code and answer of limited length, not only spaces: '%s'", async (text, message) => {
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

  test("[REC-04] checks an answer of 200 characters", async () => {
    const { email, code } = await withCode();
    expect(await check(email, code, "x".repeat(200))).toBe(INVALID_ANSWER);
  });

  test("[REC-04] uses up no try for a form without its CSRF token", async () => {
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
