import { beforeEach, describe, expect, test, vi } from "vitest";
import { securityEventsStored } from "~/domain/security-events/background.server";
import { ROWS_EACH } from "~/domain/security-events/flood.server";
import { endSession } from "~/http/session.server";
import * as login from "~/routes/_public.login";
import * as verifyEmail from "~/routes/_public.verify-email.$token";
import * as api from "~/routes/api.$";
import * as certificate from "~/routes/home.certificate-details.$id/route";
import * as jobs from "~/routes/home.jobs";
import * as userPage from "~/routes/home.users.$id/route";
import * as logout from "~/routes/logout";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { createMember, enterCode, requestCode } from "../support/recovery";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });
beforeEach(forgetSecurityEvents);

let last = 0;
/** Returns the client headers of an address that no other test uses. */
const fromElsewhere = () => clientFrom(`198.51.100.${(last += 1)}`);

describe("a refusal is an event", () => {
  test("when the right for a page is missing, with the user", async () => {
    const user = await createUser();
    await run(jobs.loader, (await signedInAs(user)).get("/home/jobs", fromElsewhere()));
    expect(await securityEvents()).toMatchObject([
      {
        event: "access.refused",
        outcome: "failure",
        userId: user.id,
        actorName: user.email,
        path: "/home/jobs",
        detail: "The page is for staff.",
      },
    ]);
  });

  test("when the right for a call is missing", async () => {
    const user = await createUser();
    const client = await apiClientOf(user.email, TEST_PASSWORD);
    await forgetSecurityEvents();
    await client.get("codes/getSalesOrders");
    expect(await securityEvents()).toMatchObject([{ event: "access.refused", userId: user.id }]);
  });

  test("when a certificate belongs to another account, but not when there is none", async () => {
    const [owner, user] = [await createUser(), await createUser()];
    const { id } = await createCertificateOrder(owner);
    const visitor = await signedInAs(user);
    const open = (number: number) =>
      run(certificate.loader, visitor.get(`/home/certificate-details/${number}`), { id: String(number) });
    await open(987_654);
    expect(await securityEvents()).toEqual([]);
    await open(id);
    expect(await securityEvents()).toMatchObject([
      { event: "access.refused", userId: user.id, detail: "It belongs to another account." },
    ]);
  });

  test("when a form has no valid token, and when another site sends it", async () => {
    const admin = await createAdmin();
    const visitor = await signedInAs(admin);
    const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      run(userPage.action, await visitor.post(`/home/users/${admin.id}`, fields, headers), { id: String(admin.id) });
    await send({ csrf: "wrong" });
    await send({}, { Origin: "https://evil.example" });
    expect(await securityEvents()).toMatchObject([
      { event: "csrf.refused", userId: admin.id },
      { event: "origin.refused", userId: admin.id, path: `/home/users/${admin.id}` },
    ]);
  });

  test("when an ended session is used", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await endSession(visitor.get("/"));
    await run(jobs.loader, visitor.get("/home/jobs"));
    expect(await securityEvents()).toMatchObject([{ event: "session.refused", userId: user.id }]);
  });

  test("when an access token is unknown, without the token", async () => {
    const request = new Request(`${TEST_ORIGIN}/api/codes/getSalesOrders`, {
      headers: { Authorization: "Bearer very-secret-token" },
    });
    await run(api.loader, request, { "*": "codes/getSalesOrders" });
    const events = await securityEvents();
    expect(events).toMatchObject([{ event: "token.refused" }]);
    expect(JSON.stringify(events)).not.toContain("very-secret");
  });

  test("when a link is unknown, without the token of the link", async () => {
    const visitor = await anonymous();
    await run(verifyEmail.loader, visitor.get("/verify-email/secret-token", fromElsewhere()), {
      token: "secret-token",
    });
    const events = await securityEvents();
    expect(events).toMatchObject([{ event: "link.refused", path: "/verify-email/[removed]" }]);
    expect(JSON.stringify(events)).not.toContain("secret-token");
  });

  test("when a reset code is wrong, without the code", async () => {
    const { email } = await createMember();
    const { visitor } = await requestCode(email);
    await enterCode(visitor, email, "wrong-code");
    const events = (await securityEvents()).filter(({ event }) => event === "reset-code.refused");
    expect(events).toMatchObject([{ actorName: email, path: "/reset-code/[removed]" }]);
    expect(JSON.stringify(events)).not.toMatch(/wrong-code|Bello/);
  });

  test("when a rate limit is reached", async () => {
    const { email } = await createUser();
    const headers = fromElsewhere();
    const attempt = async () =>
      run(login.action, await (await anonymous()).post("/login", { email, password: "wrong" }, headers));
    while ((await attempt()).status !== 429);
    const [event] = (await securityEvents()).filter(({ event: name }) => name === "rate-limit.reached");
    expect(event?.detail).toBe("There were more than 20 logins to one account from one network within 15 minutes.");
  });
});

describe("a flood of refusals", () => {
  /** Has a new user refused at a page of staff, more often than there are rows for. */
  async function refuseOften(headers: Record<string, string>) {
    const user = await createUser();
    const visitor = await signedInAs(user);
    for (let count = 0; count < ROWS_EACH + 15; count += 1) await run(jobs.loader, visitor.get("/home/jobs", headers));
    return user;
  }

  test(`by one user fills ${ROWS_EACH} rows and one that names the user and counts the others`, async () => {
    const headers = fromElsewhere();
    const users = [await refuseOften(headers), await refuseOften(headers)];
    const events = await securityEvents();
    for (const user of users) {
      const own = events.filter(({ userId, actorName }) => userId === user.id && actorName === user.email);
      expect(own.reduce((sum, { times }) => sum + times, 0)).toBe(ROWS_EACH + 15);
      // The minute can change while the test runs.
      expect(own.length).toBeLessThanOrEqual(2 * ROWS_EACH + 2);
      expect(own.at(-1)).toMatchObject({ address: headers["x-marque-address"], path: null });
    }
    expect(events).toHaveLength(users.flatMap(({ id }) => events.filter(({ userId }) => userId === id)).length);
  });

  test("of logins to many accounts from one network shares the rows of the network", async () => {
    const headers = fromElsewhere();
    vi.useFakeTimers({ toFake: ["Date"] }); // rows are counted by the minute, which must not end meanwhile
    for (let count = 0; count < ROWS_EACH + 5; count += 1) {
      const { email } = await createUser();
      await run(login.action, await (await anonymous()).post("/login", { email, password: "wrong" }, headers));
    }
    vi.useRealTimers();
    const failed = (await securityEvents()).filter(({ event }) => event === "login.failed");
    expect(failed.length).toBeLessThan(ROWS_EACH + 5);
    expect(failed.at(-1)).toMatchObject({ userId: null, actorName: null });
  });

  test("of several loaders of one request is one event", async () => {
    const visitor = await signedInAs(await createUser());
    const headers = { ...fromElsewhere(), "x-marque-request": "one-request" };
    for (const _ of [1, 2]) await run(jobs.loader, visitor.get("/home/jobs", headers));
    expect(await securityEvents()).toHaveLength(1);
  });
});

describe("an event that cannot be stored", () => {
  test("does not fail the request", async () => {
    await getDb().schema.alterTable("security_events").renameTo("hidden").execute();
    const visitor = await signedInAs(await createUser());
    const answer = await run(jobs.loader, visitor.get("/home/jobs", fromElsewhere()));
    await securityEventsStored();
    await getDb().schema.alterTable("hidden").renameTo("security_events").execute();
    expect(answer.status).toBe(303);
    expect(await securityEvents()).toEqual([]);
  });
});

test("logging out is an event", async () => {
  const user = await createUser();
  await run(logout.action, await (await signedInAs(user)).post("/logout"));
  expect(await securityEvents()).toMatchObject([{ event: "account.logged-out", userId: user.id }]);
});
