import { describe, expect, test } from "vitest";
import { STEP_UP } from "~/domain/accounts/factors/step-up.server";
import { hashAnswer, verifyPassword } from "~/domain/accounts/passwords.server";
import { type Shell } from "~/domain/shell";
import { findUser } from "~/http/guard.server";
import { loadShell } from "~/http/shell.server";
import { confirmedToast } from "~/http/step-up.server";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { auditAbout, storedUser } from "../support/administration";
import { apiClientOf } from "../support/api";
import { emptyTexts, tooLongTexts } from "../support/edges";
import { COMMON_PASSWORD_REFUSED, createAdmin, ODD_PASSWORDS, TEST_PASSWORD } from "../support/factories";
import { giveApp } from "../support/factors";
import { valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { ANSWER, mailsTo, QUESTION } from "../support/recovery";
import { openPage } from "../support/route-page";
import { storeProof } from "../support/sessions";
import {
  customer,
  type Fields,
  newEmail,
  pageFields,
  refusalOf,
  save,
  send,
  USER_MANAGEMENT,
} from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { jsonOf, signedInAs, Visitor } from "../support/visitor";

useVatServer();
usePortal();

const NEW = "a quite different one";
const OTHER_QUESTION = "In which town or city were you born?";
const REQUIRED = "This field is required.";
const WRONG = "This is not the password of your account. Please enter it again.";
const password = (change: Fields = {}): Fields => ({
  currentPassword: TEST_PASSWORD,
  password: NEW,
  confirmPassword: NEW,
  ...change,
});
const question = (change: Fields = {}): Fields => ({
  currentPassword: TEST_PASSWORD,
  securityQuestion: OTHER_QUESTION,
  securityAnswer: " Köln ",
  ...change,
});

describe("a new password", () => {
  test("[USR-05] is asked for again by a refused form only where it was typed", async () => {
    const { user, visitor } = await customer();
    const pageAfter = async (change: Fields) => {
      const fields = { ...(await pageFields(visitor)), firstName: "", ...change } as Record<string, string>;
      return (await openPage(userManagement, visitor, USER_MANAGEMENT, { fields })).html;
    };
    expect(await pageAfter({ currentPassword: TEST_PASSWORD })).toContain("are never sent back to you.");
    expect(await pageAfter({})).not.toContain("are never sent back to you.");
    expect((await storedUser(user)).firstName).not.toBe("");
  });

  test("[USR-05] [LOG-10] needs the current one; every other session ends at once and this browser continues", async () => {
    const { user, visitor } = await customer();
    const elsewhere = await signedInAs(user);
    const copy = new Visitor(visitor.cookie);
    const response = await save(visitor, password({ position: "CEO" }));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    visitor.follow(response);
    expect(await findUser(visitor.get("/"))).toMatchObject({ id: user.id, position: "CEO" });
    expect([await findUser(elsewhere.get("/")), await findUser(copy.get("/"))]).toEqual([null, null]);

    const stored = await storedUser(user);
    expect(await verifyPassword(stored.passwordHash, NEW)).toBe(true);
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
    const events = (await auditAbout(user)).map(({ event }) => event);
    expect(events.sort()).toEqual(["account.details-updated", "account.password-changed"]);
    expect(JSON.stringify(await auditAbout(user))).not.toContain(NEW);
  });

  test("[USR-05] also needs the second factor where there is one, and so do the address and the question", async () => {
    const { user, visitor } = await customer();
    const program = await apiClientOf(user.email, TEST_PASSWORD);
    await giveApp(user);
    await storeProof(user, "totp", 11);
    const email = newEmail();
    const changes = [password(), question(), { currentPassword: TEST_PASSWORD, email }];
    const before = await storedUser(user);
    for (const change of changes) {
      const asked = (await save(visitor, change)).headers.get("Location") ?? "";
      expect(asked).toMatch(/^\/second-factors\/confirm\?redirectTo=/);
      const kept = new URL(asked, "http://portal.test").searchParams.get("redirectTo") ?? "";
      const { unsent } = await jsonOf<Shell>(await loadShell(visitor.get(kept)));
      expect(unsent).toMatchObject({ formId: "user-management", hadSecrets: true });
      expect(JSON.stringify(unsent)).not.toMatch(new RegExp(`${TEST_PASSWORD}|${NEW}|Köln`));
      expect((await confirmedToast(kept, user)).text).toContain("Only passwords and answers must be typed again");
    }
    expect(await storedUser(user)).toEqual(before);
    expect((await save(visitor, { position: "CEO" })).headers.get("Location")).toBe("/home/dashboard");

    const change = { Username: email, UserId: user.id, currentPassword: TEST_PASSWORD };
    expect(await program.post("UserSecurity/UpdateUsername", change)).toMatchObject({
      status: 403,
      code: STEP_UP,
      text: expect.stringContaining("POST token/confirm") as string,
    });
    await storeProof(user, "totp", 1);
    expect((await save(visitor, password())).headers.get("Location")).toBe("/home/dashboard");
    expect(await verifyPassword((await storedUser(user)).passwordHash, NEW)).toBe(true);
  });

  test.each([
    [{ currentPassword: "" }, { currentPassword: REQUIRED }],
    [{ confirmPassword: "" }, { confirmPassword: REQUIRED }],
    [{ password: "" }, { password: REQUIRED }],
    [
      { password: " ".repeat(9), confirmPassword: " ".repeat(9) },
      { password: REQUIRED, confirmPassword: REQUIRED },
    ],
    [{ confirmPassword: `${NEW} ` }, { confirmPassword: "Entered values do not match." }],
    [
      { password: "a1b2c3d", confirmPassword: "a1b2c3d" },
      { password: "The password must have at least 8 characters." },
    ],
    [
      { password: "y".repeat(51), confirmPassword: "y".repeat(51) },
      { password: "Entered value is not valid.", confirmPassword: "Entered value is not valid." },
    ],
    [{ currentPassword: "y".repeat(51) }, { currentPassword: "Entered value is not valid." }],
    [{ password: "Password123", confirmPassword: "Password123" }, { password: COMMON_PASSWORD_REFUSED }],
    [
      { password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD },
      { password: "The new password must differ from the current one." },
    ],
    [{ currentPassword: "not the right one" }, { currentPassword: WRONG }],
    [
      { currentPassword: "not the right one", password: "Password123", confirmPassword: "Password123" },
      { currentPassword: WRONG, password: COMMON_PASSWORD_REFUSED },
    ],
    [
      { currentPassword: "", password: "Password123", confirmPassword: "Password124" },
      {
        currentPassword: REQUIRED,
        password: COMMON_PASSWORD_REFUSED,
        confirmPassword: "Entered values do not match.",
      },
    ],
    [
      { currentPassword: "not the right one", password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD },
      { currentPassword: WRONG },
    ],
    [{ password: TEST_PASSWORD, confirmPassword: "another one" }, { confirmPassword: "Entered values do not match." }],
  ])("[USR-05] %o is refused: %o", async (change, errors) => {
    const { user, visitor } = await customer();
    const before = await storedUser(user);
    expect(await refusalOf(visitor, password({ ...change, position: "CEO" }))).toEqual({
      status: 422,
      errors,
      values: expect.anything() as unknown,
    });
    expect(await storedUser(user)).toMatchObject({ passwordHash: before.passwordHash, position: before.position });
    expect(await findUser(visitor.get("/"))).not.toBeNull();
  });

  test("[USR-05] has 8 to 50 characters and is taken as typed", async () => {
    const { user, visitor } = await customer();
    let current = TEST_PASSWORD;
    for (const next of ODD_PASSWORDS) {
      const response = await save(visitor, { currentPassword: current, password: next, confirmPassword: next });
      visitor.follow(response);
      expect([next, response.status]).toEqual([next, 303]);
      expect(await verifyPassword((await storedUser(user)).passwordHash, next)).toBe(true);
      current = next;
    }
  });

  test("[USR-05] [LOG-03] is refused after five wrong tries in a session, which lock the account against the right one too", async () => {
    const { user, visitor } = await customer();
    for (let tries = 0; tries < 4; tries += 1) await save(visitor, password({ currentPassword: `wrong ${tries}` }));
    for (const currentPassword of ["wrong", TEST_PASSWORD])
      expect((await refusalOf(visitor, password({ currentPassword }))).errors).toEqual({
        currentPassword: expect.stringMatching(
          /^After several wrong passwords no password is compared until \S+ \S+ UTC\. You can also log out and reset your password\.$/,
        ) as string,
      });
    expect((await storedUser(user)).lockedUntil).not.toBeNull();
    expect((await save(visitor, { position: "CEO" })).status).toBe(303);
  });

  test("[USR-05] [LOG-03] can be set in a session in spite of wrong passwords at the login; the right one resets the count", async () => {
    const { user, visitor } = await customer();
    await updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() + 600_000) });
    for (let tries = 0; tries < 4; tries += 1) await save(visitor, password({ currentPassword: `wrong ${tries}` }));
    expect((await save(visitor, question())).status).toBe(303);
    for (let tries = 0; tries < 4; tries += 1) await save(visitor, password({ currentPassword: `wrong ${tries}` }));
    expect((await save(visitor, password())).status).toBe(303);
    expect((await storedUser(user)).lockedUntil).toBeNull();
  });
});

describe("the security question", () => {
  const answers = async (user: { id: number }, answer: string) => {
    const { securityAnswerHash } = await storedUser(user);
    return verifyPassword(securityAnswerHash, answer.trim().toLowerCase());
  };

  test("[USR-05] is changed with its answer by the current password, and sessions stay", async () => {
    const { user, visitor } = await customer();
    expect((await save(visitor, question())).status).toBe(303);
    expect((await storedUser(user)).securityQuestion).toBe(OTHER_QUESTION);
    expect(await answers(user, "köln")).toBe(true);
    expect((await auditAbout(user)).map(({ message }) => message)).toEqual([
      "Changed the security question or its answer.",
    ]);
    expect(await findUser(visitor.get("/"))).not.toBeNull();
  });

  test("[USR-05] can get a new answer alone; empty fields keep both", async () => {
    const { user, visitor } = await customer();
    await save(visitor, { securityAnswer: "", currentPassword: "filled in by the browser" });
    expect(await answers(user, ANSWER)).toBe(true);
    expect((await save(visitor, question({ securityQuestion: QUESTION }))).status).toBe(303);
    expect([await answers(user, "Köln"), (await storedUser(user)).securityQuestion]).toEqual([true, QUESTION]);
  });

  test("[USR-05] needs an answer of at most 120 characters, the password, and to be one of the list", async () => {
    const { visitor } = await customer();
    for (const [securityAnswer, message] of [...emptyTexts, ...tooLongTexts(120)])
      expect((await refusalOf(visitor, question({ securityAnswer }))).errors).toEqual({ securityAnswer: message });
    expect((await refusalOf(visitor, question({ securityQuestion: "Why?" }))).errors).toEqual({
      securityQuestion: "The value is not part of the collection.",
    });
    expect((await refusalOf(visitor, question({ currentPassword: "" }))).errors).toEqual({ currentPassword: REQUIRED });
    expect((await save(visitor, question({ securityAnswer: "x".repeat(120) }))).status).toBe(303);
  });

  test("[USR-05] can be given to an account without one, and stays when it is no longer offered", async () => {
    const { user, visitor } = await customer({ securityQuestion: null, securityAnswerHash: null });
    expect((await openPage(userManagement, visitor, USER_MANAGEMENT)).html).toContain("Select security question");
    const { errors } = await refusalOf(visitor, question({ securityQuestion: "" }));
    expect(errors).toEqual({ securityQuestion: REQUIRED });
    expect((await save(visitor, question())).status).toBe(303);

    const old = { securityQuestion: "Imported?", securityAnswerHash: await hashAnswer("yes") };
    await updateUser(getDb(), user.id, old);
    const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
    expect(valueOf(html, "securityQuestion")).toBe("Imported?");
    expect((await save(visitor, question({ securityQuestion: "Imported?" }))).status).toBe(303);
    expect(await answers(user, "köln")).toBe(true);
  });
});

test("[USR-05] an administrator who acts as the user can change neither", async () => {
  const { user } = await customer();
  const { visitor } = await acting(await createAdmin(), user);
  const before = await storedUser(user);
  const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT);
  expect(html).not.toContain('type="password"');
  const fields = await pageFields(visitor);
  for (const change of [password(), question()])
    expect((await send(visitor, { ...fields, ...change, position: "CEO" })).status).toBe(403);
  expect(await storedUser(user)).toEqual(before);
});
