import { afterEach, beforeEach, expect, test } from "vitest";
import { allowPassword } from "~/domain/accounts/single-sign-on/allow-password.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import * as login from "~/routes/_public.login";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout, confirmed, refusalOf, storedUser } from "../support/administration";
import { ApiClient } from "../support/api";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { configureSignOn, useIdentityProvider } from "../support/identity-provider";
import { usePortal } from "../support/portal";
import { enterCode, infoOf, requestCode } from "../support/recovery";
import { securityEvents } from "../support/security-events";
import { anonymous, errorsOf, run, signedInAs } from "../support/visitor";

usePortal();
useIdentityProvider();
beforeEach(() => configureSignOn({ staffPasswords: false }));
afterEach(() => configureSignOn());

const REFUSED =
  "Members of staff do not log in with a password here. Please use 'Log in with Example ID' on the login page.";

const enter = async (email: string, password = TEST_PASSWORD) =>
  run(login.action, await (await anonymous()).post("/login", { email, password }));

test("the password form refuses staff with the way to log in, only after the right password; customers log in as before", async () => {
  const [staff, admin, customer] = [await createStaff(["auditor"]), await createAdmin(), await createUser()];
  for (const { email } of [staff, admin]) {
    const { status, errors } = await errorsOf(await enter(email));
    expect([status, Object.values(errors)]).toEqual([422, [REFUSED]]);
  }
  expect(Object.values((await errorsOf(await enter(staff.email, "a wrong password"))).errors)).not.toContain(REFUSED);
  expect((await enter(customer.email)).status).toBe(303);
});

test("the JSON token call refuses staff in the same way", async () => {
  const { email } = await createStaff(["auditor"]);
  const answer = await new ApiClient().grant({ username: email, password: TEST_PASSWORD, grant_type: "password" });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("Members of staff do not log in"),
  ]);
});

test("a reset code leads no member of staff to a new password", async () => {
  const { email } = await createStaff(["auditor"]);
  const { visitor, code } = await requestCode(email);
  expect(await infoOf(await enterCode(visitor, email, code))).toBe(REFUSED);
  expect((await securityEvents()).at(-1)).toMatchObject({ event: "reset-code.refused", actorName: email });
});

test("user administrators send staff no link to choose a password", async () => {
  const [admin, staff] = [await signedInAs(await createAdmin()), await createStaff(["auditor"])];
  const send = (user: { id: number }) => confirmed(admin, user, { intent: "send-reset-link" });
  expect(await refusalOf(await send(staff))).toBe(
    "Members of staff log in with single sign-on here, not with a password.",
  );
  expect((await send(await createUser())).status).toBe(303);
});

test("the command line allows the password for a day, with an audit entry", async () => {
  const staff = await createStaff(["auditor"]);
  await allowPassword(staff.id, systemActor("command line (Petra Holt)"), "The provider is down");
  expect((await enter(staff.email)).status).toBe(303);
  expect((await auditAbout(staff)).map(({ actorName, event, message }) => [actorName, event, message])[0]).toEqual([
    "command line (Petra Holt)",
    "account.password-allowed",
    "Allowed the password for 24 hours beside single sign-on: The provider is down",
  ]);
  const until = Date.parse((await storedUser(staff)).passwordAllowedUntil ?? "");
  expect(until - Date.now()).toBeGreaterThan(86_000_000);
  await updateUser(getDb(), staff.id, { passwordAllowedUntil: new Date() });
  expect((await enter(staff.email)).status).toBe(422);
});

test("with passwords of staff on, both ways work", async () => {
  configureSignOn();
  const { email } = await createStaff(["auditor"]);
  expect((await enter(email)).status).toBe(303);
});
