import { describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { totpAddress } from "~/lib/totp.server";
import * as page from "~/routes/_public.second-factors/route";
import * as app from "~/routes/_public.second-factors_.app/route";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import { getDb } from "~db/connection.server";
import { listFactors, listRecoveryCodes } from "~db/repositories/second-factors.server";
import { acting } from "../support/acting";
import { auditAbout, refusalOf } from "../support/administration";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { enterFactor, enterPassword, giveApp, scannedApp } from "../support/factors";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { storeProof } from "../support/sessions";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PATH = "/second-factors";

const add = (visitor: Visitor, address: string, fields: Record<string, string>) =>
  openPage(app, visitor, address, { fields: { name: "Work phone", ...fields } });

const press = async (visitor: Visitor, intent: string, id?: number) =>
  run(page.action, await visitor.post(PATH, { intent, ...(id && { id: String(id) }) }));

describe("an authenticator app", () => {
  test("[USR-01] is added with the code that it shows; its recovery codes are shown once and stored as hashes", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const { address, html, phone } = await scannedApp(visitor);
    expect(select(html, "svg[role=img] path").attr("d")).toMatch(/^M\d/);
    expect(select(html, 'input[name="code"]').attr("autocomplete")).toBe("one-time-code");
    const { html: added } = await add(visitor, address, { code: phone.code() });
    const codes = textsOf(added, ".codes li");
    expect(codes).toHaveLength(10);
    expect(codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/.test(code))).toBe(true);

    const [factor] = await listFactors(getDb(), user.id);
    const stored = await listRecoveryCodes(getDb(), user.id);
    expect(factor).toMatchObject({ kind: "totp", name: "Work phone" });
    expect(factor?.secret).not.toContain(phone.secret);
    expect(stored.every(({ codeHash }) => codeHash.startsWith("$argon2id$"))).toBe(true);
    const { html: list } = await openPage(page, visitor, PATH);
    expect(textsOf(list, "tbody tr")[0]).toMatch(/Work phone.*Authenticator app/);
    expect(pageText(list)).toContain("Recovery codes that you have not used: 10.");
    for (const code of codes) expect(list).not.toContain(code);

    expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.factor-added");
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe("A second factor of your account was added");
    const login = (await enterPassword(user)).visitor;
    expect((await enterFactor(login, phone.code())).status).toBe(303);
  });

  test("[USR-01] a wrong code changes nothing and keeps the secret and the name", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const { address, phone } = await scannedApp(visitor);
    const { html } = await add(visitor, address, { code: "000000", name: "My <phone" });
    expect(summaryOf(html)[0]).toMatch(/^This code is not right\./);
    expect(pageText(html).replace(/\s/g, "")).toContain(phone.secret);
    expect(select(html, 'input[name="name"]').attr("value")).toBe("My <phone");
    expect(await listFactors(getDb(), user.id)).toEqual([]);
    const refused = (await securityEvents()).filter(({ event }) => event === "factor.refused");
    expect(refused).toMatchObject([{ userId: user.id, actorName: user.email }]);
    const { html: empty } = await add(visitor, address, { code: "", name: " " });
    expect(summaryOf(empty)).toEqual(["Code: This field is required.", "Name: This field is required."]);
  });

  test("[USR-01] a confirmation that ends meanwhile is asked again, and the same code can still be added", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const { address, phone } = await scannedApp(visitor);
    await storeProof(user, "password", 11);
    const fields = { code: phone.code(), name: "Mine" };
    const asked = await run(app.action, await visitor.post(address, fields));
    const password = { currentPassword: TEST_PASSWORD };
    const answer = await run(confirmPage.action, await visitor.post(asked.headers.get("Location") ?? "", password));
    visitor.follow(answer);
    const confirmed = answer.headers.get("Location") ?? "";
    const { html } = await openPage(app, visitor, confirmed);
    expect(pageText(html).replace(/\s/g, "")).toContain(phone.secret);
    const shell = await jsonOf<Shell>(await loadShell(visitor.get(confirmed)));
    expect(shell.unsent?.values).toMatchObject({ name: "Mine" });
    const { html: added } = await add(visitor, confirmed, { code: phone.code(), name: "Mine" });
    expect(pageText(added)).toContain("The authenticator app has been added");
  });

  test("[USR-01] a secret offered in another session or changed is not accepted", async () => {
    const [visitor, stranger] = [await signedInAs(await createUser()), await signedInAs(await createUser())];
    const { address, phone } = await scannedApp(visitor);
    const fields = { code: phone.code(), name: "Work phone" };
    const foreign = await errorsOf(await run(app.action, await stranger.post(address, fields)));
    expect(foreign.errors.code).toBe("This page is older than 30 minutes. Please scan the new code.");
    const changed = await errorsOf(await run(app.action, await visitor.post(`${address}x`, fields)));
    expect(changed.errors.code).toBe("This page is older than 30 minutes. Please scan the new code.");
  });

  test("[USR-01] its code at the enrolment cannot be used for a login", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const { address, phone } = await scannedApp(visitor);
    const code = phone.code();
    await add(visitor, address, { code });
    const again = await enterFactor((await enterPassword(user)).visitor, code);
    expect((await errorsOf(again)).errors.code).toMatch(/^This code was used already/);
  });

  test("[USR-01] a second one gets a name of its own and keeps the recovery codes", async () => {
    const user = await createUser();
    await giveApp(user);
    const codes = await listRecoveryCodes(getDb(), user.id);
    const visitor = await signedInAs(user);
    await getDb().updateTable("sessions").set({ provedBy: "totp" }).where("userId", "=", user.id).execute();
    const { address, phone } = await scannedApp(visitor);
    const taken = await add(visitor, address, { code: phone.code(), name: "work PHONE" });
    expect(summaryOf(taken.html)).toEqual(["Another factor has this name already."]);
    const answer = await run(app.action, await visitor.post(address, { code: phone.code(), name: "Spare" }));
    expect(answer.headers.get("Location")).toBe(PATH);
    expect((await listFactors(getDb(), user.id)).map(({ name }) => name)).toEqual(["Work phone", "Spare"]);
    expect(await listRecoveryCodes(getDb(), user.id)).toEqual(codes);
  });

  test("[USR-01] the QR code names the portal and the account", () => {
    expect(totpAddress("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "anna@example-parts.com")).toBe(
      "otpauth://totp/Supply%20Chain%20CA:anna%40example-parts.com?issuer=Supply%20Chain%20CA&secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&algorithm=SHA1&digits=6&period=30",
    );
  });
});

/** A user with an app, who has just proved it in this browser. */
async function withApp(make: typeof createUser = createUser) {
  const user = await make();
  const { app: phone, codes } = await giveApp(user);
  const visitor = (await enterPassword(user)).visitor;
  await enterFactor(visitor, phone.code());
  const [factor] = await listFactors(getDb(), user.id);
  return { user, phone, codes, visitor, id: factor?.id ?? 0 };
}

describe("the page of one's own factors", () => {
  test("[USR-01] renames a factor", async () => {
    const { user, visitor, id } = await withApp();
    const { html } = await openPage(page, visitor, PATH, { fields: { intent: "ask-rename", id: String(id) } });
    expect(select(html, 'input[name="name"]').attr("value")).toBe("Work phone");
    const rename = async (name: string) =>
      run(
        page.action,
        await visitor.post(PATH, { intent: "rename", id: String(id), name, __rvfInternalFormId: "factor-name" }),
      );
    expect((await errorsOf(await rename(" "))).errors.name).toBe("This field is required.");
    visitor.follow(await rename("Red phone"));
    expect(await toastOf(visitor)).toBe("The second factor has been renamed.");
    expect((await auditAbout(user)).at(-1)?.message).toBe("Renamed the second factor Work phone to Red phone.");
  });

  test("[USR-01] removes the last factor of a customer after a question, with the recovery codes; the login asks no more", async () => {
    const { user, visitor, id } = await withApp();
    const { html } = await openPage(page, visitor, PATH, { fields: { intent: "ask-remove", id: String(id) } });
    expect(pageText(html)).toMatch(/Are you sure you wish to remove Work phone\?.*It is your last one/);
    expect(await listFactors(getDb(), user.id)).toHaveLength(1);
    visitor.follow(await press(visitor, "remove", id));
    expect(await toastOf(visitor)).toBe("The second factor has been removed.");
    expect([await listFactors(getDb(), user.id), await listRecoveryCodes(getDb(), user.id)]).toEqual([[], []]);
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe("A second factor of your account was removed");
    expect((await enterPassword(user)).answer.headers.get("Location")).toBe("/home/dashboard");
    expect(await refusalOf(await press(visitor, "remove", id))).toBe("This factor has been removed already.");
  });

  test("[USR-01] keeps the last factor of staff", async () => {
    const { user, visitor, id } = await withApp(createAdmin);
    for (const intent of ["ask-remove", "remove"])
      expect(await refusalOf(await press(visitor, intent, id))).toBe(
        "Staff need a second factor. Add another one before you remove this one.",
      );
    expect(await listFactors(getDb(), user.id)).toHaveLength(1);
  });

  test("[USR-01] makes new recovery codes, which end the former ones", async () => {
    const { user, codes, visitor } = await withApp();
    const asked = await openPage(page, visitor, PATH, { fields: { intent: "ask-renew-codes" } });
    expect(pageText(asked.html)).toContain("Are you sure you wish to make new recovery codes?");
    expect((await listRecoveryCodes(getDb(), user.id)).length).toBe(10);
    expect(valueOf(asked.html, "intent")).toBe("renew-codes");
    const { html } = await openPage(page, visitor, PATH, { fields: { intent: "renew-codes", confirmed: "yes" } });
    const made = textsOf(html, ".codes li");
    expect(made).toHaveLength(10);
    const login = (await enterPassword(user)).visitor;
    expect((await errorsOf(await enterFactor(login, codes[0] ?? ""))).errors.code).toMatch(/^This code is not right/);
    expect((await enterFactor(login, made[0] ?? "")).status).toBe(303);
  });

  test("[USR-01] changes nothing of somebody else's, and nothing for an administrator who acts as the user", async () => {
    const { user, id } = await withApp();
    const stranger = await withApp();
    for (const intent of ["ask-rename", "ask-remove", "remove"])
      expect(await refusalOf(await press(stranger.visitor, intent, id))).toBe("This factor has been removed already.");
    const admin = await createAdmin();
    const { visitor } = await acting(admin, user);
    expect((await press(visitor, "remove", id)).status).toBe(403);
    const { html } = await openPage(page, visitor, PATH);
    expect(pageText(html)).toContain("Only the user can change the second factors.");
    expect(select(html, "main form").length).toBe(0);
    expect(await listFactors(getDb(), user.id)).toHaveLength(1);
  });

  test("[USR-01] asks for a fresh factor before it removes one, adds one or makes codes", async () => {
    const { user, visitor, id } = await withApp();
    await getDb()
      .updateTable("sessions")
      .set({ provedAt: new Date(0) })
      .where("userId", "=", user.id)
      .execute();
    const removes = "remove the second factor";
    for (const [intent, named] of [
      ["ask-remove", removes],
      ["remove", removes],
      ["ask-renew-codes", "make new recovery codes"],
      ["renew-codes", "make new recovery codes"],
    ] as const) {
      const asked = (await press(visitor, intent, id)).headers.get("Location") ?? "";
      expect(asked).toMatch(/^\/second-factors\/confirm\?redirectTo=%2Fsecond-factors%3Funsent%3D/);
      expect(pageText((await openPage(confirmPage, visitor, asked)).html)).toContain(`Confirm who you are to ${named}`);
    }
    expect((await run(app.loader, visitor.get(`${PATH}/app`))).headers.get("Location")).toBe(
      "/second-factors/confirm?task=app&redirectTo=%2Fsecond-factors%2Fapp",
    );
    expect(await listFactors(getDb(), user.id)).toHaveLength(1);
  });

  test("[LOG-07] tells staff until when they may go on without a factor, and leads on once there is one", async () => {
    const admin = await createAdmin();
    const { visitor } = await enterPassword(admin);
    expect(pageText((await openPage(page, visitor, PATH)).html)).toContain("You can go on without one until");
    await getDb()
      .updateTable("users")
      .set({ factorAskedAt: new Date(0) })
      .where("id", "=", admin.id)
      .execute();
    const target = `${PATH}?redirectTo=%2Fhome%2Foverview`;
    const { html: held } = await openPage(page, visitor, target);
    expect(pageText(held)).toContain("You can go on as soon as you have added one.");
    const linked = (html: string) =>
      select(html, 'main a[href="/home/user-management"], main a[href="/home/sessions"]');
    expect(linked(held)).toHaveLength(0); // they would lead back to this page
    await giveApp(admin);
    const { html } = await openPage(page, visitor, target);
    expect(select(html, 'a[href="/home/overview"]').text()).toBe("Continue");
    expect(linked(html)).toHaveLength(2);
  });
});
