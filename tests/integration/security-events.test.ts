import { beforeEach, describe, expect, test } from "vitest";
import * as login from "~/routes/_public.login";
import * as register from "~/routes/_public.register/route";
import { getDb } from "~db/connection.server";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { linksTo, useLink } from "../support/user-details";
import { anonymous, run } from "../support/visitor";

usePortal();
beforeEach(forgetSecurityEvents);

const FROM = "203.0.113.7";

const logIn = async (email: string, password: string, headers: Record<string, string> = clientFrom(FROM)) =>
  run(login.action, await (await anonymous()).post("/login", { email, password }, headers));

describe("a login", () => {
  test("is an event with the account, the address, the user agent and the path", async () => {
    const user = await createUser();
    await logIn(user.email, TEST_PASSWORD);
    expect(await securityEvents()).toMatchObject([
      {
        event: "account.logged-in",
        outcome: "success",
        userId: user.id,
        actorName: user.email,
        address: FROM,
        network: FROM,
        userAgent: "Test browser",
        path: "/login",
        times: 1,
      },
    ]);
  });

  test("that comes with a registration is an event, and so is the confirmed address", async () => {
    const fields = filledRegistration();
    await run(register.action, await (await anonymous()).post("/register", fields, clientFrom(FROM)));
    const [token = ""] = await linksTo(fields.email);
    await useLink(token);
    expect(await securityEvents()).toMatchObject([
      { event: "account.registered", outcome: "success", actorName: fields.email, address: FROM, path: "/register" },
      { event: "account.email-verified", outcome: "success", actorName: fields.email },
    ]);
  });

  test("has an audit entry with the client's address", async () => {
    const user = await createUser();
    await logIn(user.email, TEST_PASSWORD);
    const entry = await getDb()
      .selectFrom("auditEntries")
      .select("address")
      .where("userId", "=", user.id)
      .where("event", "=", "account.logged-in")
      .executeTakeFirstOrThrow();
    expect(entry.address).toBe(FROM);
  });

  test("that fails is an event, although its work is rolled back", async () => {
    const user = await createUser();
    const disabled = await createUser({ isDisabled: true });
    const locked = await createUser({ adminLockedAt: new Date() });
    await logIn(user.email, "wrong");
    await logIn(disabled.email, TEST_PASSWORD);
    await logIn(locked.email, TEST_PASSWORD);
    expect(await securityEvents()).toMatchObject([
      { event: "login.failed", outcome: "failure", userId: user.id, address: FROM, detail: "The password was wrong." },
      { event: "login.failed", userId: disabled.id, detail: "The account is disabled." },
      { event: "login.failed", userId: locked.id, detail: "The account is locked." },
    ]);
  });

  test("with an unknown name keeps the name only when it looks like an email address", async () => {
    await logIn("nobody@example-parts.com", "wrong");
    await logIn("my secret passphrase", "wrong");
    expect(await securityEvents()).toMatchObject([
      { userId: null, actorName: "nobody@example-parts.com", detail: "There is no such account." },
      { userId: null, actorName: "(unknown name)" },
    ]);
    expect(JSON.stringify(await securityEvents())).not.toMatch(/wrong|secret/);
  });

  test("with a fifth wrong password is an event of the lock, with the address of whoever typed it", async () => {
    const user = await createUser();
    for (let count = 0; count < 5; count += 1) await logIn(user.email, "wrong");
    const lock = (await securityEvents()).find(({ event }) => event === "account.locked");
    expect(lock).toMatchObject({ userId: user.id, address: FROM, userAgent: "Test browser" });
  });

  test("keeps at most 400 characters of a user agent, without control characters", async () => {
    const user = await createUser();
    await logIn(user.email, "wrong", clientFrom("203.0.113.8", `Evil\tbrowser${"x".repeat(500)}`));
    const [event] = await securityEvents();
    expect(event?.userAgent).toHaveLength(400);
    expect(event?.userAgent).toMatch(/^Evil browserx/);
  });
});
