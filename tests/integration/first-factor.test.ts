import { describe, expect, test } from "vitest";
import { login } from "~/domain/accounts/login.service.server";
import { startSession } from "~/http/session.server";
import * as page from "~/routes/_public.second-factors/route";
import * as app from "~/routes/_public.second-factors_.app/route";
import * as trail from "~/routes/home.audit-trail";
import { getDb } from "~db/connection.server";
import { listFactors } from "~db/repositories/second-factors.server";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { giveApp, scannedApp } from "../support/factors";
import { pageText } from "../support/page";
import { TEST_ORIGIN, usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs } from "../support/visitor";

usePortal();

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
