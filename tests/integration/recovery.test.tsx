import { describe, expect, test } from "vitest";
import { getConfig } from "~/lib/config.server";
import * as forgot from "~/routes/_public.forgot-password";
import * as bare from "~/routes/_public.reset-code/route";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import {
  codesFor,
  createMember,
  enterCode,
  infoOf,
  mailsTo,
  pathOf,
  QUESTION,
  requestCode,
  sha256,
  tokensOf,
} from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, jsonOf, run } from "../support/visitor";

usePortal();

const FLOOR = 290; // timers may fire a little early
const withoutQuestion = { securityQuestion: null, securityAnswerHash: null };
const open = (code: string, email: string) =>
  anonymous().then((visitor) => openPage(link, visitor, pathOf(code, email), { params: { token: code, email } }));
const answerField = (html: string) => select(html, 'input[name="securityAnswer"]');
const shownFor = async (code: string, email: string) =>
  jsonOf<{ question: string | null; code: string }>(
    await run(link.loader, (await anonymous()).get(pathOf(code, email)), { token: code, email }),
  );
const timed = async <T,>(work: () => Promise<T>) => {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
};

describe("the page of the forgotten password", () => {
  test("[REC-01] has email, Continue, and Back to the root route", async () => {
    const { html } = await openPage({ loader: () => null, ...forgot }, await anonymous(), "/forgot-password");
    expect(textsOf(html, "h1")).toEqual(["Password Recovery"]);
    expect(textsOf(html, "label")).toContain("Email");
    expect(textsOf(html, 'button[type="submit"]')).toContain("Continue");
    expect(textsOf(html, 'a[href="/"]')).toContain("Back");
  });

  const domain = "@example-parts.com";
  test.each([
    ["", "This field is required."],
    ["   ", "This field is required."],
    ["nobody", "Email address is not valid."],
    ["anna@example", "Email address is not valid."],
    ["<b>anna</b>@example-parts.com", "Email address is not valid."],
    ["änna@example-parts.com", "Email address is not valid."],
    ["🔑@example-parts.com", "Email address is not valid."],
    ["אבג@example-parts.com", "Email address is not valid."],
    ["x".repeat(201 - domain.length) + domain, "Entered value is not valid."],
  ])("[REC-01] refuses '%s'", async (email, message) => {
    expect(await errorsOf((await requestCode(email)).response)).toEqual({
      status: 422,
      errors: { email: message },
      values: { email },
    });
  });

  test.each(["x".repeat(199 - domain.length), "x".repeat(200 - domain.length)])(
    "[REC-01] accepts '%s@…' and continues to the code",
    async (local) => {
      const { response } = await requestCode(local + domain);
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/reset-code"]);
    },
  );

  test("[REC-01] answers known, unknown, disabled and merged accounts alike in text and time, and only a known one gets mail", async () => {
    const known = await createMember();
    const disabled = await createMember({ isDisabled: true });
    const merged = await createMember({ mergedInto: known.id });
    const emails = [known.email, disabled.email, merged.email, "unknown@example-parts.com"];
    for (const email of emails) {
      const { result, ms } = await timed(() => requestCode(email));
      expect(ms).toBeGreaterThan(FLOOR);
      expect([result.response.status, result.response.headers.get("Location")]).toEqual([303, "/reset-code"]);
      expect(result.response.headers.getSetCookie()).toHaveLength(1);
      expect(await mailsTo(email)).toHaveLength(email === known.email ? 1 : 0);
      const { html, status } = await openPage(bare, result.visitor, "/reset-code");
      expect(status).toBe(200);
      expect(pageText(html)).toContain(
        `If there is an account for ${email}, a message with a reset code is on its way.`,
      );
    }
  });

  test("[REC-01] refuses a body of 10 MB", async () => {
    expect((await requestCode("x".repeat(10_000_000))).response.status).toBe(413);
  });

  test("[REC-01] sends nothing for a form without its CSRF token or from another site", async () => {
    const { email } = await createMember();
    const visitor = await anonymous();
    const foreign = await (await anonymous()).post("/forgot-password", { email });
    const csrf = new URLSearchParams(await foreign.text()).get("csrf") ?? "";
    for (const request of [
      await visitor.post("/forgot-password", { email, csrf: "" }),
      await visitor.post("/forgot-password", { email, csrf }),
      await visitor.post("/forgot-password", { email }, { Origin: "https://evil.example" }),
    ])
      expect((await run(forgot.action, request)).status).toBe(403);
    expect(await mailsTo(email)).toEqual([]);
  });
});

describe("the message with a reset code", () => {
  test("[REC-02] has the link; the code has 128 random bits, is stored as its hash and is valid for 60 minutes", async () => {
    const user = await createMember();
    await requestCode(user.email.toUpperCase());
    const [mail] = await mailsTo(user.email);
    const [sent = ""] = await codesFor(user.email);
    expect(mail?.text).toContain(`${TEST_ORIGIN}${pathOf(sent, user.email)}\n`);
    expect(select(mail?.html ?? "", `a[href="${TEST_ORIGIN}${pathOf(sent, user.email)}"]`)).toHaveLength(1);
    expect(Buffer.from(sent, "base64url")).toHaveLength(16);
    const [token] = await tokensOf(user.id, "reset-password");
    expect(token?.tokenHash).toBe(sha256(sent));
    expect(Date.parse(token?.expiresAt ?? "") - Date.parse(token?.createdAt ?? "")).toBe(3_600_000);
  });

  test("[REC-02] replaces the older code", async () => {
    const { email } = await createMember();
    const { code: older } = await requestCode(email);
    const { visitor, code } = await requestCode(email);
    expect(code).not.toBe(older);
    expect(await infoOf(await enterCode(visitor, email, older))).toBe("The reset code is not valid or it has expired.");
    expect((await enterCode(visitor, email, code)).headers.get("Location")).toBe("/change-password");
    expect((await enterCode(visitor, email, older)).status).toBe(422);
  });
});

describe("the reset code page", () => {
  test("[REC-03] with parameters fills in the code and shows the question; opening it repeatedly uses up nothing", async () => {
    const { email } = await createMember();
    const { visitor, code } = await requestCode(email);
    for (let count = 0; count < 6; count += 1) await open(code, email);
    const { html } = await open(code, email);
    expect(valueOf(html, "resetCode")).toBe(code);
    expect(pageText(html)).toContain(QUESTION);
    expect(answerField(html).is(":enabled")).toBe(true);
    for (const [label, href] of [
      ["Back", "/forgot-password"],
      ["Cancel", "/"],
    ])
      expect(textsOf(html, `a[href="${href}"]`)).toContain(label);
    expect((await enterCode(visitor, email, code)).headers.get("Location")).toBe("/change-password");
  });

  test("[REC-03] without parameters knows the email from the previous page, and redirects there otherwise", async () => {
    const { email } = await createMember();
    const { visitor, code } = await requestCode(email);
    const { html } = await openPage(bare, visitor, "/reset-code");
    expect(pageText(html)).toContain(QUESTION);
    expect(valueOf(html, "resetCode")).toBe("");
    expect(html).not.toContain(code);
    const fields = { resetCode: ` ${code} `, securityAnswer: "bello" };
    const response = await run(bare.action, await visitor.post("/reset-code", fields));
    expect(response.headers.get("Location")).toBe("/change-password");

    const stranger = await anonymous();
    for (const answer of [
      await run(bare.loader, stranger.get("/reset-code")),
      await run(bare.action, await stranger.post("/reset-code", fields)),
    ])
      expect(answer.headers.get("Location")).toBe("/forgot-password");
  });

  test("[REC-03] disables and ignores the answer when no question is stored", async () => {
    const { email } = await createMember(withoutQuestion);
    const { visitor, code } = await requestCode(email);
    const { html } = await open(code, email);
    expect(answerField(html).is(":disabled")).toBe(true);
    expect(pageText(html)).toContain("No security question is stored for your account");
    const response = await run(
      link.action,
      await visitor.post(pathOf(code, email), { resetCode: code, securityAnswer: undefined }),
      { token: code, email },
    );
    expect(response.headers.get("Location")).toBe("/change-password");
  });

  test("[REC-03] tells only the holder of the code that there is no question; without parameters the answer is not validated either", async () => {
    const { email } = await createMember(withoutQuestion);
    const { visitor, code } = await requestCode(email);
    const { question } = await shownFor("x".repeat(22), email);
    expect(getConfig().accounts.securityQuestions).toContain(question);
    const send = async (fields: Record<string, string>) =>
      run(bare.action, await visitor.post("/reset-code", { securityAnswer: "", ...fields }));
    expect((await errorsOf(await send({ resetCode: "guess" }))).errors).toEqual({
      securityAnswer: "This field is required.",
    });
    expect((await send({ resetCode: code })).headers.get("Location")).toBe("/change-password");
  });

  test("[REC-03] always shows the same question for an unknown email, whatever the code", async () => {
    const { securityQuestions } = getConfig().accounts;
    const emails = Array.from({ length: 60 }, (_, index) => `unknown-${index}@example-parts.com`);
    const shown = await Promise.all(emails.map(async (email) => (await shownFor("a".repeat(22), email)).question));
    for (const question of shown) expect(securityQuestions).toContain(question);
    expect(new Set(shown).size).toBeGreaterThan(1);
    const again = await Promise.all(emails.map(async (email) => (await shownFor("b".repeat(22), email)).question));
    expect(again).toEqual(shown);
  });

  test.each([
    ["a NUL character", "\u0000"],
    ["no email", "nobody"],
    ["an endless one", "x".repeat(300)],
    ["markup", "<script>alert(1)</script>"],
    ["right-to-left text", "אבג@example.com"],
  ])("[REC-03] treats a link with %s in place of email and code as unknown, without a failure", async (_what, odd) => {
    const page = await open(odd, odd);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain("<script>alert");
    expect((await shownFor(odd, odd)).code).toBe(odd === "nobody" ? odd : "");
    expect(await infoOf(await enterCode(await anonymous(), odd, "guess"))).toBe(
      "The reset code is not valid or it has expired.",
    );
  });

  test("[REC-03] verifies the proved address", async () => {
    const user = await createMember({ emailVerifiedAt: null });
    const { visitor, code } = await requestCode(user.email);
    expect((await findUserById(getDb(), user.id))?.emailVerifiedAt).toBeNull();
    await enterCode(visitor, user.email, code);
    expect((await findUserById(getDb(), user.id))?.emailVerifiedAt).not.toBeNull();
  });
});
