import { beforeAll, describe, expect, test } from "vitest";
import { toWireTimestamp } from "~/api/wire";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { removeMember } from "~/domain/companies/members.service.server";
import { findCompanyLeft } from "~/domain/companies/own-companies.service.server";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import * as missingPage from "~/routes/_public.complete-registration";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as homePage from "~/routes/home.dashboard";
import * as ownPage from "~/routes/home.personal-data";
import * as erasurePage from "~/routes/home.personal-data_.erasure";
import * as ownFile from "~/routes/home.personal-data_.file";
import * as staffPage from "~/routes/home.users.$id_.data";
import * as staffFile from "~/routes/home.users.$id_.data_.file";
import * as usersPage from "~/routes/home.users._index";
import * as layoutPage from "~/routes/home/route";
import { getDb } from "~db/connection.server";
import { acting } from "../support/acting";
import { auditAbout, paramsOf, refusalOf, storedUser } from "../support/administration";
import { apiClientOf, newProgram } from "../support/api";
import { newClientProgram } from "../support/api-clients";
import { record } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createColleague, invite, personOf } from "../support/companies";
import { erase } from "../support/erasure";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { giveApp } from "../support/factors";
import { fillCertificates } from "../support/many-certificates";
import { pageText, select, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { storeProof } from "../support/sessions";
import { run, signedInAs } from "../support/visitor";

usePortal();
const people = usePeople();

type Exported = Record<string, Record<string, unknown>[]>;

const readFile = async (response: Response): Promise<Exported> => (await response.json()) as Exported;
/** Logs in with a second factor, which somebody who has one must prove. */
const enter = (user: { id: number }) => signedInAs({ ...user, proof: "totp" });
const download = async (user: { id: number }) =>
  run(ownFile.loader, (await enter(user)).get("/home/personal-data/file"));

const CALL = "Users/DownloadPersonalData";

describe("the export of a person's data", () => {
  let person: Awaited<ReturnType<typeof createUser>>;
  let file: Exported;

  beforeAll(async () => {
    person = await createUser({ email: "ludmilla@zwoelfender.example", lastName: "Zwölfender" });
    const owner = await createUser({ company: "Others Ltd" });
    const { codes } = await giveApp(person);
    await createCertificateOrder(person);
    await startDraft(purchaseWizard, person.id, { contact: { city: "Zwickau", country: "276" } });
    const contact = { name: "Ludmilla Z.", email: person.email, company: "Others Ltd", position: "", phoneNumber: "7" };
    const json = JSON.stringify({
      ...contact,
      addressLine1: "",
      addressLine2: "",
      city: "",
      postalCode: "",
      countryId: 1,
      country: "",
    });
    await createCertificateOrder(owner, undefined, { authenticationContact: json, authenticationEmail: person.email });
    await invite(owner, person.email);
    await record({
      actor: { id: person.id, name: person.email, client: { address: "192.0.2.9", userAgent: "" } },
      userId: null,
    });
    await record({
      actor: { id: 7, name: "staff@example.org", client: { address: "192.0.2.8", userAgent: "" } },
      userId: person.id,
    });
    file = await readFile(await download(person));
    expect(JSON.stringify(file)).not.toContain(codes[0]);
  });

  test("has everything about the person, and what others are told about nobody else", () => {
    expect(file.accounts).toEqual([expect.objectContaining({ email: person.email, lastName: "Zwölfender" })]);
    expect(file.companies).toEqual([expect.objectContaining({ name: person.company, role: "owner" })]);
    expect(file.secondFactors).toEqual([expect.objectContaining({ kind: "totp", name: "Work phone" })]);
    expect(file.orders).toHaveLength(1);
    expect(file.certificates).toHaveLength(1);
    expect(file.contactOfCertificates).toEqual([
      expect.objectContaining({
        technicalContact: null,
        authenticationContact: expect.objectContaining({ name: "Ludmilla Z." }) as unknown,
      }),
    ]);
    expect(file.invitations).toEqual([expect.objectContaining({ company: "Others Ltd", email: person.email })]);
    expect(file.messages?.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([expect.stringMatching(/invite|Others Ltd|company/i)]),
    );
    expect(file.sessions?.length).toBeGreaterThan(0);
    const entries = (file.auditEntries ?? []).map(({ event, by, address }) => ({ event, by, address }));
    expect(entries).toContainEqual({ event: "test.happened", by: "this person", address: "192.0.2.9" });
    expect(entries).toContainEqual({ event: "test.happened", by: "somebody else", address: null });
  });

  test("has no secrets, and neither names nor addresses of others who acted", () => {
    const text = JSON.stringify(file);
    for (const secret of ["argon2", "passwordHash", "tokenHash", "credentialId", "staff@example.org", "192.0.2.8"])
      expect(text).not.toContain(secret);
  });

  test("is never cached, and is an entry of the audit trail", async () => {
    const response = await download(person);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Content-Disposition")).toContain(`personal-data-${person.id}.json`);
    await response.text();
    expect((await auditAbout(person)).at(-1)).toMatchObject({
      actorId: person.id,
      event: "account.data-exported",
      message: `Downloaded a file with the personal data of account ${person.id}.`,
    });
  });

  test("needs a fresh proof on the page, for the file, and in the call", async () => {
    const visitor = await enter(person);
    await storeProof(person, "totp", 11);
    for (const loader of [ownPage.loader, ownFile.loader, erasurePage.loader]) {
      const answer = await run(loader, visitor.get("/home/personal-data"));
      expect([answer.status, answer.headers.get("Location")]).toEqual([
        302,
        expect.stringContaining("/second-factors/confirm"),
      ]);
    }
    const client = await apiClientOf(people.stranger.email, TEST_PASSWORD);
    await storeProof(people.stranger, "password", 11);
    expect(await client.get(CALL)).toMatchObject({ status: 403, code: "account.step-up" });
  });

  test("is a page that can be read without scripts and says when there is more", async () => {
    const { html } = await openPage(ownPage, await enter(person), "/home/personal-data");
    expect(textsOf(html, "h1")).toEqual(["Your data"]);
    expect(pageText(html)).toContain("Zwölfender");
    expect(pageText(html)).toContain("Contact of ID codes: none");
    expect(pageText(html)).toMatch(/City: Zwickau; Country: Germany/);
    const terms = textsOf(html, "dt");
    expect(terms).toEqual(expect.arrayContaining(["Email confirmed", "Right Applicant", "Address line 1"]));
    expect(pageText(html)).toContain("account: data exported");
    expect(pageText(html)).toMatch(/Role: ?Owner|Role Owner/);
    for (const columnName of ["verified at", "Is applicant", "user agent", "account.data-exported"])
      expect(pageText(html)).not.toContain(columnName);
    expect(textsOf(html, "a.btn")).toContain("Download your data");
  });

  test("reads many certificates in portions, and shows a hundred of them", async () => {
    const many = await createUser();
    await fillCertificates(1200, { isRevoked: false, owner: many });
    const response = await download(many);
    expect(response.headers.get("Content-Length")).toBeNull();
    const exported = await readFile(response);
    expect(exported.certificates).toHaveLength(1200);
    expect(new Set(exported.certificates?.map(({ id }) => id)).size).toBe(1200);
    const { html } = await openPage(ownPage, await signedInAs(many), "/home/personal-data");
    expect(pageText(html)).toContain("There are more. The file has all of them.");
    expect(html.match(/host-\d+\.example/g)?.length ?? 0).toBeLessThan(250);
  });

  test("is made by a user administrator for a person who asks by letter, but not by an auditor or somebody acting as the person", async () => {
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const params = paramsOf(person);
    const path = `/home/users/${person.id}/data`;
    const { html } = await openPage(staffPage, people.admin.visitor, path, { params });
    expect(textsOf(html, "h1")).toEqual([`Data about ${person.firstName} ${person.lastName}`]);
    const unproved = await signedInAs({ ...(await createStaff(["user-administrator"])), proof: null });
    const confirm = (await run(staffPage.loader, unproved.get(path), params)).headers.get("Location") ?? "";
    const asked = await openPage(confirmPage, unproved, confirm);
    const name = `${person.firstName} ${person.lastName}`;
    expect(pageText(asked.html)).toContain(
      `Confirm who you are to see everything that this portal holds about a person: ${name} .`,
    );
    expect(select(asked.html, `main a[href="/home/users/${person.id}"]`)).toHaveLength(1);
    const stranger = await signedInAs({ ...(await createUser()), proof: null });
    expect((await openPage(confirmPage, stranger, confirm)).html).not.toContain(name);
    const response = await run(staffFile.loader, people.admin.visitor.get(`${path}/file`), params);
    expect((await readFile(response)).accounts).toEqual([expect.objectContaining({ email: person.email })]);
    expect((await auditAbout(person)).at(-1)).toMatchObject({
      actorId: people.admin.id,
      event: "account.data-exported",
    });
    for (const loader of [staffPage.loader, staffFile.loader])
      expect((await run(loader, auditor.get(path), params)).headers.get("Location")).toBe("/home/dashboard");
    const { visitor } = await acting(people.admin, person);
    expect((await run(ownFile.loader, visitor.get("/home/personal-data/file"))).status).toBe(403);
  });

  test("is a call, in which the data of somebody else looks missing", async () => {
    const client = await apiClientOf(people.customer.email, TEST_PASSWORD);
    const own = await client.send(CALL);
    expect((await readFile(own)).accounts).toEqual([expect.objectContaining({ id: people.customer.id })]);
    expect((await client.get(CALL, { userId: person.id })).status).toBe(404);
    const staff = await apiClientOf(people.admin.email, TEST_PASSWORD);
    expect((await staff.send(`${CALL}?userId=${person.id}`)).status).toBe(200);
  });

  test("has nothing but the pseudonym after an erasure", async () => {
    const gone = await createUser({ email: "gone@zwoelfender.example", lastName: "Verschwunden" });
    await erase(gone);
    await deliverDueMail(new Date());
    const response = await run(staffFile.loader, people.admin.visitor.get("/"), paramsOf(gone));
    const text = await response.text();
    expect(text).not.toMatch(/gone@zwoelfender|Verschwunden/i);
    expect(text).toContain(`"firstName":"Erased","lastName":"person ${gone.id}"`);
  });
});

describe("the calls about the erasure of the caller's data", () => {
  const UNASKED = { requestedAt: toWireTimestamp(null), isEmailConfirmed: true, isAskedByStaff: false };
  const [GET, REQUEST, WITHDRAW] = ["Users/GetErasure", "Users/RequestErasure", "Users/WithdrawErasure"] as const;

  test("ask for it, say when that was, and withdraw it", async () => {
    const { user, client } = await newProgram();
    expect((await client.get(GET)).content).toEqual({ ...UNASKED, barriers: [] });
    expect(await client.post(WITHDRAW)).toMatchObject({ status: 422, text: "You have not asked for this." });
    expect(await client.post(REQUEST)).toMatchObject({ status: 200, content: true });
    const { erasureRequestedAt } = await storedUser(user);
    expect((await client.get(GET)).content).toEqual({
      ...UNASKED,
      requestedAt: toWireTimestamp(erasureRequestedAt),
      barriers: [],
    });
    const mail = (await mailsTo(people.admin.email)).at(-1);
    expect(mail?.subject).toBe("A person asks for the erasure of their data");
    expect(mail?.text?.replace(/\s+/g, " ")).toContain("had just confirmed with its password or second factor");
    expect(await client.post(REQUEST)).toMatchObject({ status: 422, text: "You have asked for this already." });
    expect(await client.post(WITHDRAW)).toMatchObject({ status: 200, content: true });
    expect((await storedUser(user)).erasureRequestedAt).toBeNull();
    const events = (await auditAbout(user)).map(({ event }) => event);
    expect(events.slice(-2)).toEqual(["account.erasure-requested", "account.erasure-withdrawn"]);
  });

  test("say what must happen first, and refuse the request until then", async () => {
    const { user, client } = await newProgram({ company: "Divided Ltd" });
    await createColleague(user, "reader");
    const first = "Divided Ltd has other members and no other owner. Somebody else must become an owner first.";
    expect((await client.get(GET)).content).toEqual({ ...UNASKED, barriers: [first] });
    expect(await client.post(REQUEST)).toMatchObject({ status: 422, code: "account.erase", text: first });
    expect((await storedUser(user)).erasureRequestedAt).toBeNull();
  });

  test("need a fresh proof, and a person", async () => {
    const { user, client } = await newProgram();
    const { program } = await newClientProgram(user, ["certificates:write"]);
    await storeProof(user, "password", 11);
    expect(await client.get(GET)).toMatchObject({ status: 403, code: "account.step-up" });
    for (const call of [REQUEST, WITHDRAW]) {
      expect(await client.post(call)).toMatchObject({ status: 403, code: "account.step-up" });
      expect(await program.post(call)).toMatchObject({ status: 403 });
    }
    await client.post("token/confirm", { password: TEST_PASSWORD });
    expect(await client.post(REQUEST)).toMatchObject({ status: 200 });
  });
});

describe("a person whom an owner has removed from the company, and who has no other", () => {
  test("is told so where the details of a company are missing, and sees, downloads and erases the data without them", async () => {
    const owner = await createUser({ company: "Former Home Ltd" });
    const member = await createUser({ detailsMissing: true });
    await getDb()
      .updateTable("memberships")
      .set({ companyId: owner.companyId, role: "reader" })
      .where("userId", "=", member.id)
      .execute();
    await getDb().updateTable("users").set({ companyId: owner.companyId }).where("id", "=", member.id).execute();
    await removeMember(await personOf(owner), member.id);
    const visitor = await signedInAs(member);
    const place = (await run(homePage.loader, visitor.get("/home/dashboard"))).headers.get("Location") ?? "";
    expect(place).toMatch(/^\/complete-registration/);
    const missing = await openPage(missingPage, visitor, place);
    expect(pageText(missing.html)).toContain("You are no longer a member of Former Home Ltd.");
    expect(missing.html).toContain('href="/home/personal-data"');
    expect((await mailsTo(member.email)).at(-1)?.text).toContain("/home/personal-data");

    expect((await run(layoutPage.loader, visitor.get("/home/personal-data"))).status).toBe(200);
    const { html } = await openPage(ownPage, visitor, "/home/personal-data");
    expect(pageText(html)).toContain(member.email);
    expect((await run(ownFile.loader, visitor.get("/home/personal-data/file"))).status).toBe(200);
    const fields = { intent: "request-erasure", confirmed: "yes" };
    const asked = await run(erasurePage.action, await visitor.post("/home/personal-data/erasure", fields));
    expect(asked.headers.get("Location")).toBe("/home/personal-data/erasure");
    expect((await storedUser(member)).erasureRequestedAt).not.toBeNull();
  });

  test("keeps the duties that come before", async () => {
    const visitor = await signedInAs(await createUser({ passwordChangedAt: new Date(0), detailsMissing: true }));
    for (const loader of [layoutPage.loader, ownPage.loader, ownFile.loader, erasurePage.loader])
      expect((await run(loader, visitor.get("/home/personal-data"))).headers.get("Location")).toMatch(
        /^\/password-expiry/,
      );
  });

  test("is not told that of a company which the person belongs to again", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "reader");
    await removeMember(await personOf(owner), member.id);
    expect(await findCompanyLeft(member)).toBe(owner.company);
    const membership = { companyId: owner.companyId, userId: member.id, role: "reader", joinedAt: new Date() } as const;
    await getDb().insertInto("memberships").values(membership).execute();
    expect(await findCompanyLeft(member)).toBeNull();
  });
});

describe("the page on which a person asks for the erasure of their data", () => {
  const post = async (user: { id: number }, fields: Record<string, string>) =>
    run(erasurePage.action, await (await signedInAs(user)).post("/home/personal-data/erasure", fields));
  const REQUEST = { intent: "request-erasure" };

  test("says what is erased and kept, asks first, tells user administrators, and can be taken back", async () => {
    const person = await createUser();
    const visitor = await signedInAs(person);
    const page = await openPage(erasurePage, visitor, "/home/personal-data/erasure");
    expect(pageText(page.html)).toContain("at least 10 years, because tax law asks for them");
    const asked = await openPage(erasurePage, visitor, "/home/personal-data/erasure", { fields: REQUEST });
    expect(pageText(asked.html)).toContain("Are you sure you wish to have your data erased? This cannot be undone.");
    expect((await storedUser(person)).erasureRequestedAt).toBeNull();
    expect((await post(person, { ...REQUEST, confirmed: "yes" })).status).toBe(303);
    expect((await storedUser(person)).erasureRequestedAt).not.toBeNull();
    const mail = (await mailsTo(people.admin.email)).at(-1);
    expect(mail?.subject).toBe("A person asks for the erasure of their data");
    expect(mail?.text?.replace(/\s+/g, " ")).toContain("had just confirmed with its password or second factor");
    const { html } = await openPage(usersPage, people.admin.visitor, "/home/users");
    expect(pageText(html)).toContain("People who ask for the erasure of their data");
    expect(await refusalOf(await post(person, { ...REQUEST, confirmed: "yes" }))).toBe(
      "You have asked for this already.",
    );
    expect((await post(person, { intent: "withdraw-erasure" })).status).toBe(303);
    expect((await storedUser(person)).erasureRequestedAt).toBeNull();
    expect(await refusalOf(await post(person, { intent: "withdraw-erasure" }))).toBe("You have not asked for this.");
  });

  test("says what must happen first, and refuses the request until then", async () => {
    const person = await createUser({ company: "Shared Ltd" });
    await createColleague(person, "reader");
    const { html } = await openPage(erasurePage, await signedInAs(person), "/home/personal-data/erasure");
    const first = "Shared Ltd has other members and no other owner. Somebody else must become an owner first.";
    expect(pageText(html)).toContain(first);
    expect(textsOf(html, "button").filter((text) => text === "Erase your data")).toEqual([]);
    expect(await refusalOf(await post(person, { ...REQUEST, confirmed: "yes" }))).toBe(first);
  });

  test("is not for an administrator who acts as the person", async () => {
    const person = await createUser();
    const { visitor } = await acting(people.admin, person);
    const sent = await visitor.post("/home/personal-data/erasure", { ...REQUEST, confirmed: "yes" });
    expect((await run(erasurePage.action, sent)).status).toBe(403);
    expect(
      await getDb().selectFrom("users").select("erasureRequestedAt").where("id", "=", person.id).execute(),
    ).toEqual([{ erasureRequestedAt: null }]);
  });
});
