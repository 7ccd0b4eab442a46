import { describe, expect, test } from "vitest";
import * as login from "~/routes/_public.login";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { TEST_PASSWORD } from "../support/factories";
import { textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  ANSWER,
  createMember,
  enterCode,
  infoOf,
  letExpire,
  mailsTo,
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

/** An account, its newest code, and a wrong code of the same form. */
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

  test("[REC-04] the fifth wrong code ends the one that was sent; after four it still works", async () => {
    const { email, code, wrong } = await withCode();
    for (let tries = 0; tries < 4; tries += 1) expect(await check(email, wrong)).toBe(INVALID_CODE);
    expect(await check(email, code)).toBe("accepted");
    const other = await withCode();
    for (let tries = 0; tries < 5; tries += 1) expect(await check(other.email, other.wrong)).toBe(INVALID_CODE);
    expect(await check(other.email, other.code)).toBe(INVALID_CODE);
    expect((await findUserById(getDb(), other.user.id))?.lockedUntil).toBeNull();
  });

  test("[REC-04] five wrong answers end the code and lock the account, for new codes and for the login; the fifth says so", async () => {
    const { email, code, user, wrong } = await withCode();
    for (let tries = 0; tries < 4; tries += 1) expect(await check(email, code, "Rex")).toBe(INVALID_ANSWER);
    expect(await check(email, code, "Rex")).toBe(LOCKED);
    for (const answer of ["Rex", ANSWER]) expect(await check(email, code, answer)).toBe(LOCKED);
    expect(await check(email, wrong)).toBe(INVALID_CODE);
    await updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() - 1) });
    expect(await check(email, code)).toBe(INVALID_CODE);
    await updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() + 60_000) });
    const { code: next } = await requestCode(email);
    expect(await check(email, next)).toBe(LOCKED);
    const visitor = await anonymous();
    const attempt = await run(login.action, await visitor.post("/login", { email, password: TEST_PASSWORD }));
    expect((await errorsOf(attempt)).errors.form).toBe("This user account is locked. Please contact support.");
    await updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() - 1) });
    expect(await check(email, next)).toBe("accepted");
  });

  test("[REC-04] of many answers at the same moment five are judged, none more", async () => {
    const { email, code, user } = await withCode();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => check(email, code, `Rex ${index}`)));
    expect(answers.filter((answer) => answer === INVALID_ANSWER)).toHaveLength(4);
    expect(answers.filter((answer) => answer === INVALID_CODE || answer === LOCKED)).toHaveLength(8);
    expect(answers).toContain(LOCKED);
    expect((await tokensOf(user.id, "reset-password"))[0]?.failures).toBe(5);
    expect(await check(email, code)).toBe(LOCKED);
  });

  test("[REC-04] a locked account is told so to who has the code, and to nobody else", async () => {
    const { email, code, wrong, user } = await withCode();
    await updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() + 60_000) });
    expect(await check(email, wrong)).toBe(INVALID_CODE);
    expect(await check(email, code, "Rex")).toBe(LOCKED);
    expect(await check(email, code)).toBe(LOCKED);
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
