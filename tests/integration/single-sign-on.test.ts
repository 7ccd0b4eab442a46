import { describe, expect, test } from "vitest";
import { getAdministeredUser } from "~/domain/accounts/administration/user-administration-view.server";
import { SIGN_ON_REFUSALS } from "~/domain/accounts/single-sign-on/refusals";
import { staffRightsOf } from "~/domain/accounts/staff-rights.server";
import { findUser } from "~/http/guard.server";
import { getDb } from "~db/connection.server";
import { listUsersByLogin, updateUser } from "~db/repositories/users.server";
import { auditAbout, confirmed, storedUser } from "../support/administration";
import { makeClient } from "../support/api-clients";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { enterFactor, giveApp } from "../support/factors";
import { useIdentityProvider } from "../support/identity-provider";
import { usePortal } from "../support/portal";
import { securityEvents } from "../support/security-events";
import { sessionsOf } from "../support/sessions";
import { refusedWith, signOn } from "../support/sign-on";
import { anonymous, signedInAs } from "../support/visitor";

usePortal();
const provider = useIdentityProvider();

let people = 0;
const someone = (groups: string[], given: object = {}) => {
  people += 1;
  const email = `person-${people}@example.org`;
  return { sub: `subject-${people}`, email, email_verified: true, given_name: "Stella", groups, ...given };
};

const accountOf = async ({ email }: { email: string }) => {
  const [user, ...others] = await listUsersByLogin(getDb(), email);
  if (!user || others.length > 0) throw new Error("There is not exactly one account.");
  return user;
};

const rightsOf = async (user: { id: number }) => staffRightsOf(getDb(), await storedUser(user));
const refusal = ({ status, text }: { status: number; text: string }) => [status, text];
const lastRefusal = async () =>
  (await securityEvents()).filter(({ event }) => event === "sign-on.refused").at(-1)?.detail;

describe("single sign-on", () => {
  test("a person in a group gets an account with its rights, a session and the page that was asked for", async () => {
    const person = (provider.person = someone(["ca-officers", "others"]));
    const visitor = await anonymous();
    const answer = await signOn(visitor, "/login/sso?redirectTo=%2Fhome%2Fcertificate-queue%3Fpage%3D2");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificate-queue?page=2"]);
    const user = await accountOf(person);
    expect(await findUser(visitor.get("/"))).toMatchObject({ id: user.id, rights: ["registration-officer"] });
    expect(user).toMatchObject({ isApplicant: false, isAdmin: false, firstName: "Stella" });
    const events = (await auditAbout(user)).map(({ event }) => event);
    expect(events).toEqual([
      "account.sign-on-created",
      "account.sign-on-linked",
      "account.right-granted",
      "account.logged-in",
    ]);
    const asked = Object.fromEntries(provider.asked[0]?.searchParams ?? []);
    expect(asked).toMatchObject({ response_type: "code", code_challenge_method: "S256", client_id: "marque" });
    expect([asked.state?.length, asked.nonce?.length]).toEqual([43, 43]);
  });

  test("a page of another site is never opened afterwards", async () => {
    provider.person = someone(["ca-officers"]);
    const answer = await signOn(await anonymous(), "/login/sso?redirectTo=https%3A%2F%2Fevil.example%2F");
    expect(answer.headers.get("Location")).toBe("/home/dashboard");
  });

  test("an account of staff is linked by its confirmed email once, and found by issuer and subject from then on", async () => {
    const staff = await createStaff(["auditor"]);
    const person = someone([], { email: staff.email });
    provider.person = person;
    expect((await signOn(await anonymous())).status).toBe(303);
    provider.person = { ...person, email: "renamed@example.org" };
    const visitor = await anonymous();
    expect((await signOn(visitor)).status).toBe(303);
    expect((await findUser(visitor.get("/")))?.id).toBe(staff.id);
    expect(await rightsOf(staff)).toEqual(["auditor"]);
  });

  test("rights of groups come and go with each login; a right that was granted by hand stays", async () => {
    const staff = await createStaff(["registration-officer"]);
    const person = someone(["ca-approvers", "ca-officers"], { email: staff.email });
    provider.person = person;
    await signOn(await anonymous());
    expect(await rightsOf(staff)).toEqual(["registration-officer", "approver", "finance"]);
    provider.person = { ...person, groups: ["ca-officers"] };
    await signOn(await anonymous());
    expect(await rightsOf(staff)).toEqual(["registration-officer"]);
    const changes = (await auditAbout(staff)).filter(({ event }) => event.startsWith("account.right-"));
    expect(changes.map(({ event, actorName }) => [event, actorName])).toEqual([
      ["account.right-granted", "single sign-on"],
      ["account.right-granted", "single sign-on"],
      ["account.right-withdrawn", "single sign-on"],
      ["account.right-withdrawn", "single sign-on"],
    ]);
  });

  test("[MAN-02] a right that goes with its group is told when an API client of staff needs it", async () => {
    const staff = await createStaff(["user-administrator", "auditor"]);
    const person = someone(["ca-approvers", "ca-officers"], { email: staff.email });
    provider.person = person;
    await signOn(await anonymous());
    await makeClient(staff, ["sales-orders:read", "sales-orders:write"], { name: "Ledger", kind: "staff" });
    provider.person = { ...person, groups: ["ca-officers"] };
    await signOn(await anonymous());
    expect(await rightsOf(staff)).not.toContain("finance");
    const told = (await auditAbout(staff)).filter(({ event }) => event === "api-client.narrowed");
    expect(told).toMatchObject([{ actorName: "single sign-on" }]);
    expect(told[0]?.message).toContain("“Ledger” of staff can no longer use the scope sales-orders:write");
  });

  test("the page of an account says which right a group gives; a right that is granted by hand again stays", async () => {
    const person = (provider.person = someone(["ca-admins", "ca-officers"]));
    await signOn(await anonymous());
    const user = await accountOf(person);
    const viewer = await createAdmin();
    const shown = async () => (await getAdministeredUser(user.id, { id: viewer.id, rights: ["auditor"] })).rights;
    expect((await shown()).map(({ right, isFromGroups }) => [right, isFromGroups])).toEqual([
      ["admin", true],
      ["registration-officer", true],
    ]);
    const visitor = await signedInAs(viewer);
    await confirmed(visitor, user, { intent: "withdraw-admin" });
    expect((await shown()).map(({ right }) => right)).toEqual(["registration-officer"]);
    await confirmed(visitor, user, { intent: "grant-admin" });
    expect((await shown()).map(({ right, isFromGroups }) => [right, isFromGroups])[0]).toEqual(["admin", false]);
    provider.person = { ...person, groups: ["ca-officers"] };
    await signOn(await anonymous());
    expect((await shown()).map(({ right }) => right)).toEqual(["admin", "registration-officer"]);
  });

  test("the right Admin comes and goes with its group too", async () => {
    const person = (provider.person = someone(["ca-admins"]));
    await signOn(await anonymous());
    expect((await accountOf(person)).isAdmin).toBe(true);
    provider.person = { ...person, groups: ["ca-officers"] };
    await signOn(await anonymous());
    expect((await accountOf(person)).isAdmin).toBe(false);
  });

  test("whoever is in no group any more is logged out everywhere and refused", async () => {
    const person = (provider.person = someone(["ca-officers"]));
    const before = await anonymous();
    await signOn(before);
    const user = await accountOf(person);
    provider.person = { ...person, groups: [] };
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.group));
    expect(await findUser(before.get("/"))).toBeNull();
    expect((await sessionsOf(user)).map(({ endReason }) => endReason)).toEqual(["groups"]);
    expect(await rightsOf(user)).toEqual([]);
    expect(await lastRefusal()).toBe(SIGN_ON_REFUSALS.group.detail);
  });

  test("a stranger in no group gets no account", async () => {
    const person = (provider.person = someone(["others"]));
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.group));
    expect(await listUsersByLogin(getDb(), person.email)).toEqual([]);
  });

  test("a customer's account is never linked, whatever the groups say", async () => {
    const customer = await createUser();
    provider.person = someone(["ca-admins"], { email: customer.email });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.customer));
    expect(await rightsOf(customer)).toEqual([]);
    expect(await lastRefusal()).toBe(SIGN_ON_REFUSALS.customer.detail);
  });

  test("an unconfirmed email, a disabled or unconfirmed account, and several accounts are refused", async () => {
    provider.person = someone(["ca-officers"], { email_verified: false });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.email));
    const disabled = await createStaff(["auditor"], { isDisabled: true });
    provider.person = someone(["ca-officers"], { email: disabled.email });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.disabled));
    const unconfirmed = await createStaff(["auditor"], { emailVerifiedAt: null });
    provider.person = someone(["ca-officers"], { email: unconfirmed.email });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.unconfirmed));
    const { email } = await createStaff(["auditor"]);
    await createStaff(["auditor"], { email, username: "second" });
    provider.person = someone(["ca-officers"], { email });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.several));
  });

  test("a locked account is refused, and its groups change nothing about that", async () => {
    const person = (provider.person = someone(["ca-officers"]));
    await signOn(await anonymous());
    const user = await accountOf(person);
    await updateUser(getDb(), user.id, { adminLockedAt: new Date() });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.locked));
    await updateUser(getDb(), user.id, { adminLockedAt: null, isDisabled: true });
    expect(await refusedWith(await signOn(await anonymous()))).toEqual(refusal(SIGN_ON_REFUSALS.disabled));
  });

  test("with a second factor at the provider the portal asks for none; without, it asks for its own", async () => {
    const staff = await createStaff(["auditor"]);
    const { app } = await giveApp(staff);
    const person = someone([], { email: staff.email });
    provider.person = { ...person, amr: ["pwd", "mfa"] };
    const visitor = await anonymous();
    expect((await signOn(visitor)).headers.get("Location")).toBe("/home/dashboard");
    expect((await sessionsOf(staff)).at(-1)).toMatchObject({
      provedBy: "single-sign-on",
      signedOnWith: "two-factors",
    });
    provider.person = { ...person, amr: ["pwd"] };
    const second = await anonymous();
    expect((await signOn(second)).headers.get("Location")).toBe("/login/factor");
    expect(await findUser(second.get("/"))).toBeNull();
    expect((await enterFactor(second, app.code())).status).toBe(303);
    expect(await findUser(second.get("/"))).toMatchObject({ id: staff.id, signedOnWith: "one-factor" });
  });

  test("the duty to add a factor holds only where the provider used none", async () => {
    const staff = await createStaff(["auditor"], { factorAskedAt: new Date("2026-01-01") });
    const person = someone([], { email: staff.email });
    provider.person = { ...person, amr: ["mfa"] };
    const visitor = await anonymous();
    await signOn(visitor);
    expect(await findUser(visitor.get("/"))).toMatchObject({ isFactorOverdue: false });
    provider.person = { ...person, amr: ["pwd"] };
    const second = await anonymous();
    await signOn(second);
    expect(await findUser(second.get("/"))).toMatchObject({ isFactorOverdue: true });
  });
});

test("a user administrator unlinks an account, whose sessions end; another subject with its email is then linked", async () => {
  const person = (provider.person = someone(["ca-officers"]));
  const visitor = await anonymous();
  await signOn(visitor);
  const user = await accountOf(person);
  provider.person = { ...person, sub: `${person.sub}-new` };
  expect((await signOn(await anonymous())).status).toBe(303);
  const olga = await createAdmin();
  const [admin, viewer] = [await signedInAs(olga), { id: olga.id, rights: ["user-administrator"] as const }];
  expect((await getAdministeredUser(user.id, viewer)).identities).toHaveLength(2);
  expect((await confirmed(admin, user, { intent: "unlink-sign-on" })).status).toBe(303);
  expect(await findUser(visitor.get("/"))).toBeNull();
  expect((await auditAbout(user)).at(-1)?.event).toBe("account.sign-on-unlinked");
  expect((await signOn(await anonymous())).status).toBe(303);
  const { identities } = await getAdministeredUser(user.id, viewer);
  expect(identities).toMatchObject([{ issuer: provider.issuer }]);
});
