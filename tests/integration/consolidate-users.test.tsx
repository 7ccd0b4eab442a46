import { describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { findUser } from "~/http/guard.server";
import { loadShell } from "~/http/shell.server";
import * as page from "~/routes/_public.consolidate-users/route";
import * as verify from "~/routes/_public.verify-email.$token";
import * as dashboard from "~/routes/home.dashboard";
import * as resend from "~/routes/resend-verification";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { consolidation, createSeveral, logInAs, merge, readUser, send, untouched } from "../support/consolidation";
import { COMMON_PASSWORD_REFUSED, createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select, summaryOf, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PAGE = "/consolidate-users";
const DAY = 86_400_000;
const placeOf = (response: Response) => response.headers.get("Location");
const open = async (visitor: Visitor) => run(page.loader, visitor.get(PAGE));
const ancient = () => new Date(Date.now() - 400 * DAY);

const mailsTo = (email: string) =>
  getDb().selectFrom("mails").select(["subject", "text"]).where("recipient", "=", email).orderBy("id").execute();

describe("access to the page that merges accounts", () => {
  test("[LOG-06] [CON-01] a user with several accounts is redirected there from every page under home", async () => {
    const [user] = await createSeveral({}, { detailsMissing: true });
    const { visitor, response } = await logInAs(user.email);
    expect(response.status).toBe(303);
    const next = await run(dashboard.loader, visitor.get(placeOf(response) ?? ""));
    expect(placeOf(next)).toBe(PAGE);
    expect((await open(visitor)).status).toBe(200);
  });

  test("[CON-01] several accounts come before missing details and an expired password", async () => {
    const [user] = await createSeveral({ detailsMissing: true, passwordChangedAt: ancient() }, {});
    const { visitor } = await logInAs(user.email);
    expect(placeOf(await run(dashboard.loader, visitor.get("/home/dashboard")))).toBe(PAGE);
  });

  test("[CON-01] anonymous visitors go to the login and users with one account to the dashboard; disabled and merged accounts do not count", async () => {
    expect(placeOf(await open(await anonymous()))).toBe("/login?redirectTo=%2Fconsolidate-users");
    const single = await createUser();
    expect(placeOf(await open(await signedInAs(single)))).toBe("/home/dashboard");
    const [user] = await createSeveral({}, { isDisabled: true }, { isDisabled: true, mergedInto: single.id });
    const visitor = await signedInAs(user);
    expect(placeOf(await open(visitor))).toBe("/home/dashboard");
    expect(placeOf(await send(visitor, {}))).toBe("/home/dashboard");
  });

  test("[CON-01] [LOG-09] an administrator who acts as the user cannot merge", async () => {
    const [user, other] = await createSeveral({}, {});
    const { visitor } = await acting(await createAdmin(), user);
    expect(placeOf(await open(visitor))).toBe("/home/dashboard");
    expect(placeOf(await send(visitor, {}))).toBe("/home/dashboard");
    expect((await readUser(other?.id ?? 0)).mergedInto).toBeNull();
  });
});

describe("the page that merges accounts", () => {
  test("[CON-01] has heading, merge warning, the accounts, choices where they differ, what is equal, and no Back", async () => {
    const [user, second] = await createSeveral(
      { firstName: "Anna", position: "EDI manager", company: "Parts <GmbH> & Co", detailsMissing: true },
      { firstName: "Ann", position: "EDI\u00a0 manager ", company: "Parts <GmbH> & Co" },
      { firstName: "Anna", position: "EDI manager", telephoneNumber: "+44 1", company: "Other", detailsMissing: true },
    );
    const visitor = await signedInAs(user);
    const { html } = await openPage(page, visitor, PAGE);
    expect(textsOf(html, "h1")).toEqual(["Complete Registration"]);
    const text = pageText(html);
    expect(text).toContain("Your accounts will be merged.");
    expect(text).toContain("This cannot be undone.");
    expect(select(html, 'a:contains("Back"), button:contains("Back")')).toHaveLength(0);
    for (const { username } of [user, second as typeof user]) expect(text).toContain(username);

    const { details, rules, accounts } = await consolidation(visitor);
    expect(rules).toEqual({
      choices: {
        firstName: [user.id, second?.id].map(String),
        company: [user.id, user.id + 2].map(String),
        telephoneNumber: [user.id, user.id + 2].map(String),
      },
      passwordMinLength: null,
    });
    expect(accounts.map(({ isOwn }) => isOwn)).toEqual([true, false, false]);
    const named = (name: string) => details.find((detail) => detail.name === name)?.options;
    expect(named("position")).toMatchObject([{ accountId: user.id, text: "EDI manager" }]);
    expect(named("companyRegistrationNumber")).toMatchObject([{ accountId: second?.id, text: "01234567" }]);
    expect(named("invoicing")?.[0]?.text).toBe(
      "Parts <GmbH> & Co, 1 Mill Lane, Coventry CV1 1AA, United Kingdom · VAT number GB123456789",
    );
    expect(named("taxNumber")).toBeUndefined();

    expect(select(html, 'input[type="radio"][name="firstName"]')).toHaveLength(2);
    const third = accounts.find(({ id }) => id === user.id + 2);
    expect(text).toContain(`Anna ${user.username} and ${third?.username}`);
    const chosen = select(html, 'input[type="radio"]').serializeArray();
    expect(chosen.map(({ name }) => name)).toEqual(["firstName", "company", "telephoneNumber"]);
    for (const { value } of chosen) expect(value).toBe(String(user.id));
    expect(text).toContain("Parts <GmbH> & Co");
  });

  test("[CON-01] refuses a missing choice or one of a foreign account, and keeps the others", async () => {
    const [user, second] = await createSeveral({ firstName: "Anna" }, { firstName: "Ann", lastName: "Miller" });
    const stranger = await createUser({ firstName: "Eve" });
    const visitor = await signedInAs(user);
    const { version } = await consolidation(visitor);
    const { errors, values, status } = await errorsOf(
      await send(visitor, { version, firstName: String(stranger.id), lastName: undefined }),
    );
    expect(status).toBe(422);
    expect(errors).toEqual({
      firstName: "The value is not part of the collection.",
      lastName: "This field is required.",
    });
    expect(values.firstName).toBe(String(stranger.id));
    for (const wrong of ["", "0", `${second?.id} `, "Ann", "<b>1</b>"])
      expect((await errorsOf(await merge(visitor, { firstName: wrong }))).errors).toEqual({
        firstName: "The value is not part of the collection.",
      });
    expect((await readUser(second?.id ?? 0)).mergedInto).toBeNull();

    const { html } = await openPage(page, visitor, PAGE, {
      fields: { version, __rvfInternalFormId: "consolidate-users" },
    });
    expect(summaryOf(html)).toEqual(["First name: This field is required.", "Last name: This field is required."]);
  });

  test("[CON-01] shows what has changed since it was opened first: more accounts, fewer, other details", async () => {
    const [user, second, third] = await createSeveral({}, {}, {});
    const visitor = await signedInAs(user);
    const changes = [
      () => createUser({ email: user.email, username: `${user.username}.late` }),
      () => updateUser(getDb(), third?.id ?? 0, { isDisabled: true }),
      () => updateUser(getDb(), second?.id ?? 0, { position: "Director" }),
      () =>
        getDb()
          .updateTable("addresses")
          .set({ city: "Leeds" })
          .where("userId", "=", second?.id ?? 0)
          .execute(),
      () => updateUser(getDb(), second?.id ?? 0, { isAdmin: true }),
    ];
    for (const change of changes) {
      const fields = untouched(await consolidation(visitor));
      await change();
      const { position, companyAddress, invoicing } = untouched(await consolidation(visitor));
      const late = { position, companyAddress, invoicing, ...fields };
      const { errors, status } = await errorsOf(await send(visitor, late));
      expect(status).toBe(422);
      expect(errors).toEqual({ form: "The accounts were changed meanwhile. Please check your choices and try again." });
    }
    expect((await readUser(second?.id ?? 0)).mergedInto).toBeNull();
  });
});

describe("proof of the mailbox", () => {
  test("[CON-03] is required: an unverified user gets an explanation, and the link in the message continues", async () => {
    const [user, second] = await createSeveral({ emailVerifiedAt: null }, { emailVerifiedAt: new Date() });
    const visitor = await signedInAs(user);
    const before = await openPage(page, visitor, PAGE);
    expect(pageText(before.html)).toContain("Please confirm your email address first.");
    expect(textsOf(before.html, "h1")).toEqual(["Complete Registration"]);
    expect(textsOf(before.html, "button")).not.toContain("Merge accounts");
    const sent = await jsonOf<{ details: unknown[] }>(await run(page.loader, visitor.get(PAGE)));
    expect(sent.details).toEqual([]);

    expect((await errorsOf(await merge(visitor))).errors.form).toMatch(/^Please confirm your email address first/);
    expect((await readUser(second?.id ?? 0)).isDisabled).toBe(false);

    expect(placeOf(await run(resend.action, await visitor.post("/resend-verification")))).toBe(PAGE);
    const [mail] = await mailsTo(user.email);
    expect(mail?.text).toContain(`Whoever is logged in as ${user.username} asks to merge them into that account.`);
    const token = /\/verify-email\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const { html } = await openPage(verify, visitor, `/verify-email/${token}`, { params: { token } });
    expect(pageText(html)).toContain(`Whoever is logged in as ${user.username} asks to merge them into that account.`);
    expect(pageText(html)).toContain(
      "it will then take the place of the other accounts in their companies, with everything that these own",
    );
    expect(placeOf(await run(verify.action, await visitor.post(`/verify-email/${token}`), { token }))).toBe(PAGE);

    expect(textsOf((await openPage(page, visitor, PAGE)).html, "button")).toContain("Merge accounts");
    expect(placeOf(await merge(visitor))).toBe("/home/dashboard");
    expect((await readUser(second?.id ?? 0)).mergedInto).toBe(user.id);
  });

  test("[LOG-06] after the merge the way leads to what is still missing, with the message", async () => {
    const [user] = await createSeveral({ detailsMissing: true }, { detailsMissing: true });
    const visitor = await signedInAs(user);
    const response = await merge(visitor);
    expect(placeOf(response)).toBe("/complete-registration");
    visitor.follow(response);
    const { toast } = await jsonOf<Shell>(
      await run(({ request: sent }) => loadShell(sent), visitor.get("/complete-registration")),
    );
    expect(toast).toEqual({ kind: "ok", text: "User details successfully updated. Accounts merged: 1." });
  });

  test("[CON-03] is not needed for the other accounts, which have the same mailbox", async () => {
    const [user, second] = await createSeveral({}, { emailVerifiedAt: null });
    expect(placeOf(await merge(await signedInAs(user)))).toBe("/home/dashboard");
    expect((await readUser(second?.id ?? 0)).mergedInto).toBe(user.id);
  });
});

describe("the confirmation of a merge", () => {
  test("[CON-01] says what will happen, and nothing is merged before", async () => {
    const [user, second] = await createSeveral({ company: "Old Parts Ltd" }, { company: "New Parts GmbH" });
    const visitor = await signedInAs(user);
    const { version, rules } = await consolidation(visitor);
    const own = Object.fromEntries(Object.entries(rules.choices).map(([name, [first]]) => [name, first ?? ""]));
    const fields = { ...own, version, company: String(second?.id) };
    const { html } = await openPage(page, visitor, PAGE, { fields });
    const text = pageText(html);
    expect(text).toContain("Do you want to merge these accounts? This cannot be undone.");
    expect(text).toContain(`${user.username} remains and takes the place of the others in their companies.`);
    expect(text).toContain(`Closed for good: ${second?.username}`);
    expect(text).toContain("Company New Parts GmbH Position");
    const sent = Object.fromEntries(
      select(html, 'input[type="hidden"]')
        .serializeArray()
        .map(({ name, value }) => [name, value]),
    );
    expect(sent).toMatchObject({ ...fields, confirmed: "yes" });
    expect((await readUser(second?.id ?? 0)).mergedInto).toBeNull();

    const back = await errorsOf(await send(visitor, { ...fields, confirmed: "yes", back: "yes" }));
    expect(back).toMatchObject({ status: 200, errors: {}, values: { company: String(second?.id) } });
    expect((await readUser(second?.id ?? 0)).mergedInto).toBeNull();
    expect(placeOf(await send(visitor, { ...fields, confirmed: "yes" }))).toBe("/home/dashboard");
    expect(await readUser(user.id)).toMatchObject({ company: "New Parts GmbH" });
  });
});

describe("a required new password", () => {
  const NEW = "a much better passphrase";

  const expired = async () => {
    const [user, second] = await createSeveral({ passwordChangedAt: ancient(), lastLoginAt: new Date() }, {});
    return { user, second: second as typeof user };
  };

  test("[CON-02] is checked: required, too short, unequal, too long, the old one", async () => {
    const { user, second } = await expired();
    const { visitor } = await logInAs(user.email);
    const { html } = await openPage(page, visitor, PAGE);
    for (const name of ["password", "confirmPassword"])
      expect(select(html, `input[type="password"][name="${name}"]`)).toHaveLength(1);

    const refusals: [Record<string, string>, Record<string, string>][] = [
      [{}, { password: "This field is required.", confirmPassword: "This field is required." }],
      [
        { password: "  ", confirmPassword: " " },
        { password: "This field is required.", confirmPassword: "This field is required." },
      ],
      [
        { password: "short12", confirmPassword: "short12" },
        { password: "The password must have at least 8 characters." },
      ],
      [{ password: NEW, confirmPassword: `${NEW}x` }, { confirmPassword: "Entered values do not match." }],
      [
        { password: "x".repeat(51), confirmPassword: "x".repeat(51) },
        { password: "Entered value is not valid.", confirmPassword: "Entered value is not valid." },
      ],
      [
        { password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD },
        { password: "The new password must differ from the current one." },
      ],
      [{ password: "password123", confirmPassword: "password123" }, { password: COMMON_PASSWORD_REFUSED }],
    ];
    for (const [fields, messages] of refusals) {
      const { errors, values } = await errorsOf(await merge(visitor, fields));
      expect(errors).toEqual(messages);
      expect(values).not.toHaveProperty("password");
    }
    expect((await readUser(second.id)).mergedInto).toBeNull();
  });

  test("[CON-02] is set by the merge: this browser continues, other sessions end, the next login uses it", async () => {
    const { user, second } = await expired();
    const { visitor } = await logInAs(user.email);
    const elsewhere = await signedInAs(user);
    const response = await merge(visitor, { password: NEW, confirmPassword: NEW });
    expect(placeOf(response)).toBe("/home/dashboard");
    visitor.follow(response);
    expect(await findUser(visitor.get("/"))).toMatchObject({
      id: user.id,
      passwordAge: "fresh",
      hasSeveralAccounts: false,
    });
    expect(await findUser(elsewhere.get("/"))).toBeNull();
    expect((await logInAs(user.email, NEW)).response.status).toBe(303);
    expect((await logInAs(user.email)).response.status).toBe(422);
    expect((await readUser(second.id)).mergedInto).toBe(user.id);
  });

  test("[CON-02] appears in no page or field while the merge waits for confirmation, and expires", async () => {
    const { user, second } = await expired();
    const { visitor } = await logInAs(user.email);
    const fields = untouched(await consolidation(visitor));
    const secret = { password: NEW, confirmPassword: NEW };
    const asked = await (await send(visitor, { ...fields, ...secret, confirmed: undefined })).text();
    expect(asked).toContain('"held":"');
    expect(asked).not.toContain(NEW);
    const { errors } = await errorsOf(await send(visitor, { ...fields, held: "not mine" }));
    expect(errors).toEqual({ form: "The time to confirm has run out. Please enter the new password again." });
    const held = /"held":"([\w-]+)"/.exec(asked)?.[1] ?? "";
    await getDb().updateTable("drafts").set({ expiresAt: new Date() }).where("id", "=", held).execute();
    expect((await send(visitor, { ...fields, held })).status).toBe(422);
    expect((await readUser(second.id)).mergedInto).toBeNull();
  });

  test("[CON-02] is also required when somebody else has set the password, and otherwise not", async () => {
    const [user] = await createSeveral({ mustChangePassword: true, lastLoginAt: new Date() }, {});
    const { visitor } = await logInAs(user.email);
    expect((await errorsOf(await merge(visitor))).errors.password).toBe("This field is required.");
    const [fresh] = await createSeveral({}, { mustChangePassword: true, passwordChangedAt: ancient() });
    const other = await signedInAs(fresh);
    expect(select((await openPage(page, other, PAGE)).html, 'input[type="password"]')).toHaveLength(0);
    const { passwordHash } = await readUser(fresh.id);
    expect((await merge(other, { password: "x", confirmPassword: "y" })).status).toBe(303);
    expect((await readUser(fresh.id)).passwordHash).toBe(passwordHash);
  });

  test("[CON-02] is accepted only soon after a login: an old session has to log in again", async () => {
    const { user } = await expired();
    const visitor = await signedInAs(user);
    for (const response of [await open(visitor), await send(await signedInAs(user), { password: NEW })]) {
      expect(placeOf(response)).toBe("/login?redirectTo=%2Fconsolidate-users");
      visitor.follow(response);
      expect(await findUser(visitor.get("/"))).toBeNull();
    }
  });
});
