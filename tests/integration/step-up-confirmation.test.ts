import { describe, expect, test } from "vitest";
import { STEP_UP } from "~/domain/accounts/factors/step-up.server";
import { findUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { changedTables, eventsAfter, lastEntry, stateOfTables } from "../support/audited";
import { issueCertificate, readCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { giveApp } from "../support/factors";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { sessionsOf, storeProof } from "../support/sessions";
import { administering, BANNER, send, confirm, addressOf, targetIn, PAGE, type Handler } from "../support/step-up";
import { errorsOf, run, signedInAs } from "../support/visitor";
import { confirmed } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

describe("a confirmation", () => {
  const asked = async (given: Parameters<typeof createAdmin>[0] = {}) => {
    const admin = await createAdmin(given);
    const visitor = await signedInAs({ ...admin, proof: null });
    const request = await administering("disable")();
    return { admin, visitor, request, address: addressOf(await send(visitor, request)) };
  };

  test("by the password counts while the account has no second factor, for every task of ten minutes", async () => {
    const { admin, visitor, request, address } = await asked();
    const wrong = await errorsOf(
      await run(confirmPage.action, await visitor.post(address, { currentPassword: "guess" })),
    );
    expect(wrong).toMatchObject({ status: 422, values: {} });
    expect(wrong.errors.currentPassword).toMatch(/^This is not the password of your account/);
    expect(await errorsOf(await run(confirmPage.action, await visitor.post(address)))).toMatchObject({
      status: 422,
      errors: { currentPassword: "This field is required." },
    });
    expect(addressOf(await send(visitor, request))).toMatch(PAGE);
    expect((await confirm(visitor, address, { currentPassword: TEST_PASSWORD })).status).toBe(303);
    expect((await auditAbout(admin)).at(-1)).toMatchObject({
      event: "account.confirmed",
      actorId: admin.id,
      message: "Confirmed with the password who is at the browser or program.",
    });
    for (const next of [request, await administering("lock")(), await administering("grant-applicant")()])
      expect(addressOf(await send(visitor, next))).not.toMatch(PAGE);
    expect(addressOf(await run(confirmPage.loader, visitor.get(address)))).toBe(targetIn(address));
  });

  test("with a second factor needs a code that was not used; refusals are security events", async () => {
    const { admin, visitor, address } = await asked();
    const { app, codes } = await giveApp(admin);
    await storeProof(admin, "totp", 11);
    const refuse = async (fields: Record<string, string>) =>
      (await errorsOf(await run(confirmPage.action, await visitor.post(address, fields)))).errors;
    expect(await refuse({ currentPassword: TEST_PASSWORD })).toEqual({ code: "This field is required." });
    expect((await refuse({ code: "000000" })).code).toMatch(/^This code is not right/);
    const other = await signedInAs({ ...admin, proof: null });
    const code = app.code();
    await confirm(other, serverPaths.confirm(), { code });
    expect((await refuse({ code })).code).toMatch(/^This code was used already/);
    expect(
      (await securityEvents()).filter(({ userId, event }) => userId === admin.id && event === "factor.refused"),
    ).toHaveLength(2);
    expect(addressOf(await send(visitor, await administering("lock")()))).toMatch(PAGE);
    expect((await confirm(visitor, address, { code: codes[0] ?? "" })).status).toBe(303);
    const again = await signedInAs({ ...admin, proof: null });
    expect(
      (await errorsOf(await run(confirmPage.action, await again.post(address, { code: codes[0] ?? "" })))).errors.code,
    ).toMatch(/^This recovery code was used already/);
  });

  test("leads only to pages of the portal, and does not count for the session of a stranger", async () => {
    const { visitor } = await asked();
    for (const elsewhere of ["https://example.org/", "//example.org/"]) {
      const answer = await confirm(visitor, serverPaths.confirm(elsewhere), { currentPassword: TEST_PASSWORD });
      expect(addressOf(answer)).toBe("/home/dashboard");
    }
    const { visitor: stranger, request, address } = await asked();
    expect(
      (await run(confirmPage.action, await stranger.post(address, { currentPassword: TEST_PASSWORD, csrf: "x" })))
        .status,
    ).toBe(403);
    expect(addressOf(await send(stranger, request))).toMatch(PAGE);
  });

  test("is of no use when the right was withdrawn meanwhile", async () => {
    const { admin, visitor, request, address } = await asked();
    await updateUser(getDb(), admin.id, { isAdmin: false });
    const answer = await confirm(visitor, address, { currentPassword: TEST_PASSWORD });
    expect(addressOf(answer)).toBe(`${targetIn(address)}#login`);
    expect(await toastOf(visitor)).toMatch(
      /If the button is gone, your rights have changed, or the page says what has happened meanwhile\.$/,
    );
    const last = await lastEntry();
    const refused = await send(visitor, { ...request, path: targetIn(address) });
    expect(addressOf(refused)).toBe("/home/dashboard");
    visitor.follow(refused);
    expect(await toastOf(visitor)).toContain("Your rights have changed since you sent the form. Nothing was changed.");
    expect(await eventsAfter(last)).toEqual([]);
  });

  test("names no task but those that need one", async () => {
    const { visitor } = await asked();
    for (const task of ["Pay 100 euro", "toString", ""])
      expect((await openPage(confirmPage, visitor, serverPaths.confirm(paths.users, task))).html).not.toContain(
        "Confirm who you are to",
      );
  });

  test("replaces what was typed before in the address of the page", async () => {
    const { visitor, request, address } = await asked();
    const again = addressOf(await send(visitor, { ...request, path: targetIn(address) }));
    expect(targetIn(again)).toMatch(/^[^?]+\?unsent=[\w-]{22}$/);
    expect(targetIn(again)).not.toBe(targetIn(address));
  });

  test("does not keep a form with the token of another session", async () => {
    const { visitor, request } = await asked();
    const [before, fields] = [await stateOfTables(), { ...request.fields, csrf: "x" }];
    expect((await send(visitor, { ...request, fields })).status).toBe(403);
    expect(changedTables(before, await stateOfTables())).toEqual([]);
  });
});

describe("no confirmation is asked", () => {
  test("for one's own certificate", async () => {
    const customer = await createUser();
    const { id } = await issueCertificate({ customer, csr: makeCsr().der });
    const request = { handler: revokePage.action, path: paths.certificateRevoke(id), params: { id: String(id) } };
    const visitor = await signedInAs({ ...customer, proof: null });
    expect(addressOf(await send(visitor, { ...request, fields: confirmed() }))).toBe(paths.certificates);
    expect((await readCertificate(id)).status).toBe("Revoked");
  });

  test("of an administrator who acts as a user, whose password it would be", async () => {
    const { visitor } = await acting(await createAdmin(), await createUser());
    const user = await findUser(visitor.get("/"));
    for (const handler of [confirmPage.loader, confirmPage.action] as Handler[]) {
      const isAction = handler === (confirmPage.action as Handler);
      const request = isAction ? await visitor.post(serverPaths.confirm(), {}) : visitor.get(serverPaths.confirm());
      expect(addressOf(await run(handler, request))).toBe("/home/dashboard");
    }
    expect(user?.impersonator).not.toBeNull();
  });
});

describe("a program", () => {
  /** Makes the proof of the program's token older. */
  const ageProofs = async (user: { id: number }) => {
    const [{ provedBy = "password" } = {}] = await sessionsOf(user);
    await storeProof(user, provedBy ?? "password", 11);
  };

  test("[API-06] confirms with the password or a code of the app before it revokes for others or changes the banner", async () => {
    const admin = await createAdmin();
    const client = await apiClientOf(admin.email, TEST_PASSWORD);
    expect((await client.post("Configuration/SaveHomePageConfig", BANNER)).status).toBe(200);
    await ageProofs(admin);
    const refusal = {
      status: 403,
      code: STEP_UP,
      text: "Please confirm with POST token/confirm who you are, and make this call again within 10 minutes.",
    };
    expect(await client.post("Configuration/SaveHomePageConfig", BANNER)).toMatchObject(refusal);
    const { id } = await issueCertificate({ customer: await createUser(), csr: makeCsr().der });
    const revocation = { certificateId: id, reasonTypeId: 4 };
    expect(await client.post("certificates/revoke", revocation)).toMatchObject(refusal);
    expect((await readCertificate(id)).status).toBe("Issued");
    expect((await client.post("certificates/revoke", { certificateId: id })).status).toBe(200);

    const confirmWith = (body: object) => client.post("token/confirm", body);
    expect(await confirmWith({})).toMatchObject({ status: 422, errors: { password: "This field is required." } });
    expect(await confirmWith({ password: "guess" })).toMatchObject({ status: 422, code: "InvalidPassword" });
    expect((await confirmWith({ password: "guess" })).errors.password).toMatch(/^This is not the password/);
    expect(await confirmWith({ password: TEST_PASSWORD })).toMatchObject({ status: 200, content: true });
    expect((await client.post("certificates/revoke", revocation)).status).toBe(200);

    const { app } = await giveApp(admin);
    expect((await client.post("Configuration/SaveHomePageConfig", BANNER)).code).toBe(STEP_UP);
    expect(await confirmWith({ password: TEST_PASSWORD })).toMatchObject({
      status: 422,
      errors: { otp: "This field is required." },
    });
    expect((await confirmWith({ otp: "000000" })).errors.otp).toMatch(/^This code is not right/);
    expect(await confirmWith({ otp: app.code() })).toMatchObject({ status: 200, content: true });
    expect((await client.post("Configuration/SaveHomePageConfig", BANNER)).status).toBe(200);
  });

  test("[API-06] revokes its own certificate without it, and its confirmation counts for no other token", async () => {
    const customer = await createUser();
    const own = await apiClientOf(customer.email, TEST_PASSWORD);
    await ageProofs(customer);
    const { id } = await issueCertificate({ customer, csr: makeCsr().der });
    expect((await own.post("certificates/revoke", { certificateId: id, reasonTypeId: 4 })).status).toBe(200);

    const admin = await createAdmin();
    const [one, two] = [await apiClientOf(admin.email, TEST_PASSWORD), await apiClientOf(admin.email, TEST_PASSWORD)];
    await ageProofs(admin);
    expect((await one.post("token/confirm", { password: TEST_PASSWORD })).status).toBe(200);
    expect((await two.post("Configuration/SaveHomePageConfig", BANNER)).code).toBe(STEP_UP);
    expect((await one.post("Configuration/SaveHomePageConfig", BANNER)).status).toBe(200);
  });
});
