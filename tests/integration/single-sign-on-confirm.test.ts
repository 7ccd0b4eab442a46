import { expect, test } from "vitest";
import { hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { SIGN_ON_REFUSALS } from "~/domain/accounts/single-sign-on/refusals";
import { findUser } from "~/http/guard.server";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { type StaffRight } from "~db/tables";
import { auditAbout } from "../support/administration";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { giveApp } from "../support/factors";
import { useIdentityProvider } from "../support/identity-provider";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { comeBack, goThroughProvider, refusedWith, signOn } from "../support/sign-on";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const provider = useIdentityProvider();
const { makeCsr } = useOpenssl();

const CONFIRM = "/login/sso?confirm=yes&redirectTo=%2Fhome%2Fusers";

/** Returns a member of staff who came by single sign-on and whose proof is no longer fresh. */
async function signedOn(given: { amr?: string[] } = {}, right: StaffRight = "auditor") {
  const staff = await createStaff([right]);
  provider.person = { sub: `subject of ${staff.id}`, email: staff.email, email_verified: true, groups: [], ...given };
  const [visitor, jar] = [await anonymous(), new Map<string, string>()];
  await signOn(visitor, "/login/sso", jar);
  await getDb()
    .updateTable("sessions")
    .set({ provedAt: new Date("2026-01-01") })
    .where("userId", "=", staff.id)
    .execute();
  return { staff, visitor, jar };
}

const isProved = async (visitor: Visitor) => {
  const user = await findUser(visitor.get("/"));
  return user !== null && hasFreshProof(user);
};

test("a person of single sign-on confirms at the provider, which asks again in spite of its own session", async () => {
  const { staff, visitor, jar } = await signedOn();
  expect(await isProved(visitor)).toBe(false);
  const page = await jsonOf(
    await run(confirmPage.loader, visitor.get("/second-factors/confirm?redirectTo=/home/users")),
  );
  expect(page).toMatchObject({ kinds: [], hasPassword: false, signOn: { name: "Example ID" } });
  const typed = await visitor.post("/second-factors/confirm", { currentPassword: TEST_PASSWORD });
  expect((await errorsOf(await run(confirmPage.action, typed))).errors.currentPassword).toMatch(/^You came by single/);
  expect(await isProved(visitor)).toBe(false);
  const answer = await signOn(visitor, CONFIRM, jar);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/users"]);
  expect(await isProved(visitor)).toBe(true);
  expect(Object.fromEntries(provider.asked.at(-1)?.searchParams ?? [])).toMatchObject({
    max_age: "0",
    prompt: "login",
  });
  expect((await auditAbout(staff)).at(-1)?.event).toBe("account.confirmed");
});

test("[MAN-03] a confirmation at the provider leads back to the card with the button, as one on this portal does", async () => {
  const { visitor, jar } = await signedOn({}, "approver");
  const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
  const path = `/home/certificate-queue/${id}`;
  const sent = await visitor.post(path, { intent: "approve" });
  const asked = (await run(queuePage.action, sent, { id: String(id) })).headers.get("Location") ?? "";
  const page = await jsonOf<{ signOn: { url: string } }>(await run(confirmPage.loader, visitor.get(asked)));
  const answer = await signOn(visitor, page.signOn.url, jar);
  expect(answer.headers.get("Location")).toMatch(new RegExp(`^${path}\\?unsent=[\\w-]{22}#decision$`));
  expect(await toastOf(visitor)).toMatch(/Now press “Approve” to approve the order SO-\d+\./);
});

test("one factor at the provider is no proof for an account that has a factor of its own; two are", async () => {
  const { staff, visitor, jar } = await signedOn({ amr: ["mfa"] });
  await giveApp(staff);
  const person = provider.person;
  provider.person = person && { ...person, amr: ["pwd"] };
  await signOn(visitor, CONFIRM, jar);
  expect(await isProved(visitor)).toBe(false);
  provider.person = person;
  await signOn(visitor, CONFIRM, jar);
  expect(await isProved(visitor)).toBe(true);
});

test("an old login at the provider, another person and another session confirm nothing", async () => {
  const { staff, visitor } = await signedOn();
  provider.alter = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 300 });
  const { status, text } = SIGN_ON_REFUSALS.stale;
  expect(await refusedWith(await signOn(visitor, CONFIRM))).toEqual([status, text]);
  provider.alter = ({ auth_time: _, ...claims }) => claims;
  expect((await signOn(visitor, CONFIRM)).status).toBe(400);
  provider.alter = (claims) => claims;
  provider.person = { sub: "somebody else", email: "else@example.org", email_verified: true, groups: ["ca-admins"] };
  expect((await refusedWith(await signOn(visitor, CONFIRM)))[1]).toBe(SIGN_ON_REFUSALS.person.text);
  provider.person = { sub: `subject of ${staff.id}`, email: staff.email, email_verified: true };
  const back = await goThroughProvider(visitor, CONFIRM);
  const { cookie } = visitor;
  await comeBack(visitor, "/login/sso/callback?state=wrong");
  const other = await signedInAs(staff);
  other.cookie = cookie;
  expect(await isProved(visitor)).toBe(false);
  expect((await comeBack(visitor, back)).status).toBe(303);
  expect(await isProved(visitor)).toBe(true);
});

test("nobody confirms without a session", async () => {
  const { loader } = await import("~/routes/_public.login_.sso/route");
  const answer = await run(loader, (await anonymous()).get(CONFIRM));
  expect(answer.headers.get("Location")).toMatch(/^\/login\?redirectTo=/);
});
