import { describe, expect, test } from "vitest";
import { consumeFactorTry } from "~/domain/accounts/factors/prove.service.server";
import { resetFactors } from "~/domain/accounts/factors/reset.server";
import { login } from "~/domain/accounts/login.service.server";
import { findUser } from "~/http/guard.server";
import { startSession } from "~/http/session.server";
import * as change from "~/routes/_public.change-password/route";
import * as page from "~/routes/_public.second-factors/route";
import * as app from "~/routes/_public.second-factors_.app/route";
import * as endActing from "~/routes/end-login-as-user";
import * as trail from "~/routes/home.audit-trail";
import { getDb } from "~db/connection.server";
import { listFactors } from "~db/repositories/second-factors.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { acting } from "../support/acting";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { enterPassword, giveApp, scannedApp } from "../support/factors";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

/** A member of staff who adds an app in one browser while somebody else is logged in with the password. */
async function addedElsewhere() {
  const olga = await createAdmin();
  const [owner, thief] = [await signedInAs(olga), await signedInAs(olga)];
  const program = await apiClientOf(olga.email, TEST_PASSWORD);
  const { address, phone } = await scannedApp(owner);
  const code = phone.code();
  const answer = await run(app.action, await owner.post(address, { code, name: "Phone" }));
  return { olga, owner, thief, program, address, phone, answer };
}

describe("the first second factor", () => {
  test("[LOG-10] ends the other sessions and tokens of the account, which were opened without one", async () => {
    const { olga, owner, thief, program, answer } = await addedElsewhere();
    expect(answer.status).toBe(200);
    expect((await run(trail.loader, owner.get("/home/audit-trail"))).status).toBe(200);
    const refused = await run(trail.loader, thief.get("/home/audit-trail"));
    expect(refused.headers.get("Location")).toMatch(/^\/\?redirectTo=/);
    await expect(program.get("codes/getSalesOrders")).resolves.toMatchObject({ status: 401 });
    const told = "All other browsers and programs of the account have been logged out: 2.";
    expect((await auditAbout(olga)).map(({ message }) => message)).toContain(
      `The second factor was added: Authenticator app: Phone. ${told}`,
    );
    expect((await mailsTo(olga.email)).map(({ text }) => text).join()).toContain("have been logged out: 2.");
  });

  test("[LOG-10] is announced with this consequence; a second one ends nothing", async () => {
    const olga = await createAdmin();
    const visitor = await signedInAs(olga);
    const before = await openPage(page, visitor, "/second-factors");
    expect(pageText(before.html)).toContain("all your other browsers and programs are logged out");
    await giveApp(olga);
    const [owner, other] = [await signedInAs({ ...olga, proof: "totp" }), await signedInAs({ ...olga, proof: "totp" })];
    const { address, phone } = await scannedApp(owner);
    await run(app.action, await owner.post(address, { code: phone.code(), name: "Spare" }));
    expect(await listFactors(getDb(), olga.id)).toHaveLength(2);
    expect((await run(trail.loader, other.get("/home/audit-trail"))).status).toBe(200);
  });

  test("[LOG-10] stops a login with the password alone that has not got its session yet", async () => {
    const olga = await createAdmin();
    const user = await login(olga.email, TEST_PASSWORD);
    if ("pending" in user) throw new Error("No factor is asked for yet.");
    await giveApp(olga);
    await expect(startSession(new Request(TEST_ORIGIN), user, { proof: user.proof })).rejects.toThrow(
      "Your account has got a second factor.",
    );
  });
});

test("[USR-01] the key of an app that was added is neither shown nor accepted again", async () => {
  const { olga, owner, address, phone } = await addedElsewhere();
  const again = await openPage(app, owner, address);
  expect(pageText(again.html)).toContain("This authenticator app has been added");
  expect(again.html.replace(/\s/g, "")).not.toContain(phone.secret);
  const twin = await run(app.action, await owner.post(address, { code: phone.code(), name: "Twin" }));
  expect((await errorsOf(twin)).errors.code).toMatch(/^This key has been added already/);
  expect(await listFactors(getDb(), olga.id)).toHaveLength(1);
});

test("[USR-01] after a reset of the factors a new app can be added, however many codes were tried before", async () => {
  const rita = await createAdmin();
  await giveApp(rita);
  for (let count = 0; count < 20; count += 1) await consumeFactorTry(rita.id, new Date());
  await expect(consumeFactorTry(rita.id, new Date())).rejects.toThrow(/^Too many attempts/);
  const user = await findUserById(getDb(), rita.id);
  if (user) await inTransaction((trx) => resetFactors(trx, user, new Date()));
  const visitor = await signedInAs(rita);
  const { address, phone } = await scannedApp(visitor);
  const answer = await run(app.action, await visitor.post(address, { code: phone.code(), name: "New phone" }));
  expect(answer.status).toBe(200);
});

describe("a session that continues another one", () => {
  const proofOf = async (visitor: Visitor) => (await findUser(visitor.get("/")))?.proof ?? null;

  test("[LOG-04] keeps the proof of the login when a new password is set", async () => {
    const rita = await createAdmin({ mustChangePassword: true });
    const { visitor } = await enterPassword(rita);
    const before = await proofOf(visitor);
    const path = "/change-password";
    const fields = { password: "a brand new passphrase", confirmPassword: "a brand new passphrase" };
    const question = { securityQuestion: "In what city were you born?", securityAnswer: "Ulm" };
    visitor.follow(await run(change.action, await visitor.post(path, { ...fields, ...question })));
    expect(before?.by).toBe("password");
    expect(await proofOf(visitor)).toEqual(before);
  });

  test("[LOG-04] has no proof when somebody begins to act as a user, nor when they end it", async () => {
    const { visitor } = await acting(await createAdmin(), await createUser());
    expect(await proofOf(visitor)).toBeNull();
    visitor.follow(await run(endActing.action, await visitor.post("/end-login-as-user")));
    expect(await findUser(visitor.get("/"))).toMatchObject({ impersonator: null, proof: null });
  });
});
