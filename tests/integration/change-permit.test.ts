import { describe, expect, test } from "vitest";
import { commitSession, getSession } from "~/http/session.server";
import * as change from "~/routes/_public.change-password/route";
import * as logout from "~/routes/logout";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import {
  admitted,
  changePassword,
  createMember,
  enterCode,
  letExpire,
  logsIn,
  NEW_PASSWORD,
  requestCode,
  tokensOf,
} from "../support/recovery";
import { anonymous, errorsOf, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

const PATH = "/change-password";

const refusal = async (visitor: Visitor, fields: Record<string, string>) =>
  (await errorsOf(await changePassword(visitor, fields))).errors;
/** Expects that neither the page nor its action is available: both redirect elsewhere. */
async function expectClosed(visitor: Visitor, elsewhere = "/forgot-password") {
  expect((await run(change.loader, visitor.get(PATH))).headers.get("Location")).toBe(elsewhere);
  const response = await changePassword(visitor);
  expect([response.status, response.headers.get("Location")]).toEqual([303, elsewhere]);
}

describe("the permit to change a password", () => {
  test("[REC-06] is needed to enter, and only a successful check gives it", async () => {
    await expectClosed(await anonymous());
    const { email, id } = await createMember();
    const { visitor } = await requestCode(email);
    await expectClosed(visitor);
    await enterCode(visitor, email, "wrong");
    await expectClosed(visitor);
    await expectClosed(await signedInAs({ id }), "/home/user-management");
    expect(await logsIn(email, TEST_PASSWORD)).toBe(true);
  });

  test("[REC-06] cannot be forged or made up in a cookie", async () => {
    const { email } = await createMember();
    const { cookie } = await admitted(email);
    const [name = "", value = ""] = cookie.split("=");
    const forged = new Visitor(`${name}=A${value}`);
    expect((await run(change.loader, forged.get(PATH))).headers.get("Location")).toBe("/forgot-password");
    expect((await changePassword(forged)).status).toBe(403);
    const session = await getSession((await anonymous()).get("/"));
    session.set("changePermit", "x".repeat(43));
    await expectClosed(new Visitor((await commitSession(session)).split(";")[0] ?? ""));
  });

  test("[REC-06] is not the code itself, and is no code", async () => {
    const { email } = await createMember();
    const { visitor, code } = await requestCode(email);
    const session = await getSession(visitor.get("/"));
    session.set("changePermit", code);
    await expectClosed(new Visitor((await commitSession(session)).split(";")[0] ?? ""));
    await enterCode(visitor, email, code);
    const permit = (await getSession(visitor.get("/"))).get("changePermit") ?? "";
    expect((await enterCode(await anonymous(), email, permit)).status).toBe(422);
  });

  test("[REC-06] allows one change, also for copies of the cookie and at the same time", async () => {
    const { email } = await createMember();
    const visitor = await admitted(email);
    const answers = await Promise.all(
      ["first passphrase", "second passphrase", "third passphrase"].map((password) =>
        changePassword(new Visitor(visitor.cookie), { password }),
      ),
    );
    const targets = answers.map((answer) => answer.headers.get("Location"));
    expect(targets.sort()).toEqual(["/", "/forgot-password", "/forgot-password"]);
    await expectClosed(visitor);
  });

  test("[REC-06] ends after 30 minutes, with a newer one, and with the email or the account", async () => {
    const late = await createMember();
    const lateVisitor = await admitted(late.email);
    const [token] = await tokensOf(late.id, "change-password");
    expect(Date.parse(token?.expiresAt ?? "") - Date.parse(token?.createdAt ?? "")).toBe(30 * 60_000);
    await letExpire(late.id, "change-password");
    await expectClosed(lateVisitor);

    const { email, id } = await createMember();
    const older = await admitted(email);
    const newer = await admitted(email);
    await expectClosed(older);
    expect((await run(change.loader, newer.get(PATH))).status).toBe(200);
    for (const since of [{ isDisabled: true }, { isDisabled: false, email: `moved-${email}` }]) {
      await updateUser(getDb(), id, since);
      await expectClosed(newer);
    }
  });

  test("[REC-06] does not work in the cookie of an ended session", async () => {
    const { email, id } = await createMember();
    const visitor = await signedInAs({ id });
    const { code } = await requestCode(email);
    await enterCode(visitor, email, code);
    expect((await run(change.loader, visitor.get(PATH))).status).toBe(200);
    const copy = new Visitor(visitor.cookie);
    await run(logout.action, await visitor.post("/logout"));
    await expectClosed(copy);
  });

  test("[REC-06] is not used up by a missing or foreign CSRF token", async () => {
    const { email } = await createMember();
    const visitor = await admitted(email);
    const foreign = await (await admitted((await createMember()).email)).post(PATH);
    for (const csrf of ["", "x", new URLSearchParams(await foreign.text()).get("csrf") ?? ""])
      expect((await changePassword(visitor, { csrf })).status).toBe(403);
    const abroad = await visitor.post(
      PATH,
      { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
      { Origin: "https://evil.example" },
    );
    expect((await run(change.action, abroad)).status).toBe(403);
    expect(await logsIn(email, TEST_PASSWORD)).toBe(true);
    expect((await changePassword(visitor)).headers.get("Location")).toBe("/");
  });

  test("[REC-06] is refused with a message when an administrator has locked the account since", async () => {
    const { email, id } = await createMember();
    const visitor = await admitted(email);
    await updateUser(getDb(), id, { adminLockedAt: new Date() });
    expect(await refusal(visitor, {})).toEqual({
      form: "Your account is locked. Please contact system administrator for further instructions.",
    });
    await updateUser(getDb(), id, { adminLockedAt: null });
    expect(await logsIn(email, TEST_PASSWORD)).toBe(true);
  });
});
