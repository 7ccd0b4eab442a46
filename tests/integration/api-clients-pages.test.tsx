import { beforeAll, describe, expect, test } from "vitest";
import { addSecret } from "~/domain/api-clients/secrets.service.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import * as staffCompanyPage from "~/routes/home.companies.$id/route";
import * as companyPage from "~/routes/home.company/route";
import * as clientPage from "~/routes/home.company_.api-clients.$id";
import * as listPage from "~/routes/home.company_.api-clients._index/route";
import * as newPage from "~/routes/home.company_.api-clients.new";
import * as staffClient from "~/routes/home.users.api-clients.$id";
import * as staffList from "~/routes/home.users.api-clients._index";
import * as staffNew from "~/routes/home.users.api-clients.new";
import { getDb } from "~db/connection.server";
import { acting } from "../support/acting";
import { apiClientOf } from "../support/api";
import { askToken, clientFields, makeClient, newestSecret } from "../support/api-clients";
import { createColleague, personOf } from "../support/companies";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();

const NEW = accountPaths.newApiClient("company");
const LIST = accountPaths.apiClients("company");

type Person = Awaited<ReturnType<typeof createUser>>;
let owner: Person;
let visitor: Visitor;
beforeAll(async () => {
  owner = await createUser({ company: "Gears Ltd" });
  visitor = await signedInAs(owner);
});

const create = async (fields: Record<string, string | string[]>, who = visitor) =>
  run(newPage.action, await who.post(NEW, fields));

const onClient = async (id: number, fields: Record<string, string>, who = visitor) =>
  run(clientPage.action, await who.post(accountPaths.apiClient("company", id), fields), { id: String(id) });

const countClients = async () => (await getDb().selectFrom("apiClients").select("id").execute()).length;

describe("a new client", () => {
  test("is made on a page that shows its secret once, also without scripts", async () => {
    const fields = { ...clientFields(), networks: "192.0.2.0/24\n2001:db8::/32" };
    const { html } = await openPage(newPage, visitor, NEW, { fields });
    const [clientId = "", secret = ""] = textsOf(html, "dd .mono");
    expect((await askToken({ clientId, secret }, {}, { "x-marque-address": "192.0.2.8" })).status).toBe(200);
    const again = await openPage(newPage, visitor, NEW, { fields });
    expect(pageText(again.html)).toContain("Another client has this name.");
    const list = await openPage(listPage, visitor, LIST);
    expect(pageText(list.html)).toContain("192.0.2.0/24, 2001:db8::/32");
    for (const page of [again.html, list.html]) expect(page).not.toContain(secret);
  });

  test("the answer with the secret is not cached", async () => {
    const answer = await create(clientFields());
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  });

  test("needs a fresh proof, and keeps what was typed", async () => {
    const unproved = await signedInAs({ ...owner, proof: null });
    const before = await countClients();
    const answers = [await run(newPage.loader, unproved.get(NEW)), await create(clientFields(), unproved)];
    for (const answer of answers) expect(answer.headers.get("Location")).toMatch(/^\/second-factors\/confirm\?/);
    expect(answers[1]?.headers.get("Location")).toContain("unsent");
    expect(await countClients()).toBe(before);
  });

  test.each([
    ["name", { name: "" }, "This field is required."],
    ["scopes", { scopes: [] as string[] }, "This field is required."],
    ["scopes", { scopes: "everything:write" }, "The value is not part of the collection."],
    ["scopes", { scopes: "sales-orders:write" }, "A client of a company cannot have sales-orders:write."],
    ["networks", { networks: "example.org" }, "example.org is not a network."],
    ["networks", { networks: "192.0.2.0/33" }, "192.0.2.0/33 is not a network."],
    ["networks", { networks: "300.0.2.0/8" }, "300.0.2.0/8 is not a network."],
    [
      "networks",
      { networks: Array.from({ length: 31 }, (_, n) => `192.0.2.${n}`).join(" ") },
      "A client has 30 networks",
    ],
    ["lastDay", { lastDay: "31/02/2027" }, "31/02/2027 is not a day of the calendar."],
    ["lastDay", { lastDay: "2020-01-01" }, "This day has passed."],
    ["lastDay", { lastDay: "2099-01-01" }, "A client can be used for 2 years at most."],
  ])("[GEN-02] the field %s names what is wrong: %j", async (field, wrong, message) => {
    const { status, errors } = await errorsOf(await create({ ...clientFields(), ...wrong }));
    expect([status, errors[field]]).toEqual([422, expect.stringContaining(message)]);
  });
});

test("the list shows the last use to the minute, and says how often it is recorded", async () => {
  await create(clientFields());
  await getDb()
    .updateTable("apiClients")
    .set({ lastUsedAt: new Date("2026-11-26T10:12:47Z") })
    .where("companyId", "=", owner.companyId)
    .execute();
  const text = pageText((await openPage(listPage, visitor, LIST)).html);
  expect(text).toContain("26/11/2026 10:12 UTC");
  expect(text).toContain("The last use is recorded at most every five minutes.");
});

test("[GEN-02] the page of a new client names all fields that are wrong at once", async () => {
  const wrong = { networks: "999.1.1.1/8", lastDay: "2020-01-01" };
  const { errors } = await errorsOf(await create({ ...clientFields(), ...wrong }));
  expect(Object.keys(errors).sort()).toEqual(["lastDay", "networks"]);
});

describe("the page of a client", () => {
  test("a new secret is shown once; a form that is sent twice makes none", async () => {
    const { id } = await makeClient(owner, ["codes:read"]);
    const fields = { intent: "secret", overlap: "until-ended", newest: String(await newestSecret(id)) };
    const answer = await onClient(id, fields);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const { shown } = await jsonOf<{ shown: { clientId: string; secret: string } }>(answer);
    expect((await askToken(shown)).status).toBe(200);
    const again = await onClient(id, fields);
    expect(again.status).toBe(422);
    expect(await again.text()).toContain("The client got a new secret meanwhile.");
    const params = { params: { id: String(id) } };
    const { html } = await openPage(clientPage, visitor, accountPaths.apiClient("company", id), params);
    expect(html).not.toContain(shown.secret);
    expect(select(html, "tbody tr").length).toBe(2);
  });

  test("asks before a client is revoked or a secret ends, and then does it", async () => {
    const client = await makeClient(owner, ["codes:read"]);
    const { id: added } = await addSecret(await personOf(owner), "company", client.id, {
      newest: await newestSecret(client.id),
      overlap: "until-ended",
    });
    expect(added).toBe(client.id);
    const secret = String(await newestSecret(client.id));
    const questions: Record<string, string>[] = [{ intent: "end-secret", secret }, { intent: "revoke" }];
    for (const fields of questions) {
      const before = await getDb().selectFrom("apiClients").selectAll().execute();
      expect(await jsonOf(await onClient(client.id, fields))).toEqual({ asked: fields });
      expect(await getDb().selectFrom("apiClients").selectAll().execute()).toEqual(before);
      expect((await onClient(client.id, { ...fields, confirmed: "yes" })).status).toBe(303);
    }
    const page = { params: { id: String(client.id) } };
    const { html } = await openPage(clientPage, visitor, accountPaths.apiClient("company", client.id), page);
    expect(pageText(html)).toContain("Revoked");
    expect(pageText(html)).not.toContain("You end it");
    expect(textsOf(html, ".tag")).toEqual(["Revoked"]);
    expect(select(html, 'button[value="revoke"]').length).toBe(0);
    const twice = await onClient(client.id, { intent: "revoke", confirmed: "yes" });
    expect((await toastOf(twice))?.text).toBe("This client was revoked already.");
  });

  test("says before the only valid secret ends that no other is left, and then shows no valid secret; the call does too", async () => {
    const client = await makeClient(owner, ["codes:read"]);
    const path = accountPaths.apiClient("company", client.id);
    const first = String(await newestSecret(client.id));
    const newest = Number(first);
    await addSecret(await personOf(owner), "company", client.id, { newest, overlap: "until-ended" });
    const second = String(await newestSecret(client.id));
    const endFirst = "The client has two valid secrets. End one of them before you make a new one.";
    const open = (fields?: Record<string, string>) =>
      openPage(clientPage, visitor, path, { params: { id: String(client.id) }, ...(fields && { fields }) });
    expect(pageText((await open()).html)).toContain(endFirst);
    const only = "This is the only valid secret. The program cannot log in until you make a new one.";
    const asked = pageText((await open({ intent: "end-secret", secret: first })).html);
    expect(asked).toMatch(/the secret made \d\d\/\d\d\/\d{4}/);
    expect(asked).not.toContain(only);
    await onClient(client.id, { intent: "end-secret", secret: first, confirmed: "yes" });
    expect(pageText((await open()).html)).toContain("How long the old secret stays valid");
    expect(pageText((await open({ intent: "end-secret", secret: second })).html)).toContain(only);
    await onClient(client.id, { intent: "end-secret", secret: second, confirmed: "yes" });
    const { html } = await open();
    expect(textsOf(html, ".tag")).toEqual(["No valid secret"]);
    expect(pageText(html)).not.toContain("How long the old secret stays valid");
    expect(pageText((await openPage(listPage, visitor, LIST)).html)).toContain("No valid secret");
    const program = await apiClientOf(owner.email, TEST_PASSWORD);
    const clients = (await program.get<{ id: number; state: string }[]>("Companies/GetApiClients")).content;
    expect(clients.find(({ id }) => id === client.id)?.state).toBe("No valid secret");
    const fields = { intent: "secret", overlap: "until-ended", newest: String(await newestSecret(client.id)) };
    expect((await onClient(client.id, fields)).status).toBe(200);
    expect(textsOf((await open()).html, ".tag")).toEqual(["Valid", "Active"]);
  });

  test("says when a secret ends in one column, and has the buttons that end one in another", async () => {
    const { id } = await makeClient(owner, ["codes:read"]);
    const params = { params: { id: String(id) } };
    const { html } = await openPage(clientPage, visitor, accountPaths.apiClient("company", id), params);
    expect(textsOf(html, "thead th")).toEqual(["Made", "Last token", "Valid until", "End"]);
    expect(pageText(html)).toContain("You end it");
    expect(pageText(html)).not.toContain("You answer for the client");
  });

  test("of a paused one says once that nobody answers for it, and what a new secret changes", async () => {
    const boss = await createColleague(owner, "owner");
    const { id } = await makeClient(boss, ["codes:read"]);
    const open = async () =>
      pageText(
        (await openPage(clientPage, visitor, accountPaths.apiClient("company", id), { params: { id: String(id) } }))
          .html,
      );
    expect(await open()).toContain("You answer for the client from then on.");
    await getDb().deleteFrom("memberships").where("userId", "=", boss.id).execute();
    const paused = await open();
    expect(paused).toContain(`Answers for it Nobody, formerly ${boss.email}`);
    expect(paused).toContain("With a new secret you answer for the client, which can be used again.");
    for (const said of [/Nobody/g, /you answer for the client/gi]) expect(paused.match(said)).toHaveLength(1);
    const list = pageText((await openPage(listPage, visitor, LIST)).html);
    expect(list).toContain(`Nobody, formerly ${boss.email}`);
    const staff = await signedInAs(await createStaff(["user-administrator"]));
    const path = paths.companyPage(owner.companyId);
    const ofCompany = await openPage(staffCompanyPage, staff, path, { params: { id: String(owner.companyId) } });
    expect(pageText(ofCompany.html)).toContain(`Nobody, formerly ${boss.email}`);
  });

  test("says once that a client of staff can do nothing any more, and which rights are missing", async () => {
    const stella = await createStaff(["user-administrator", "finance"]);
    const scopes = ["certificates:read", "sales-orders:read", "sales-orders:write"] as const;
    const { id } = await makeClient(stella, scopes, { kind: "staff" });
    const admin = await signedInAs(await createAdmin());
    const open = async () => {
      const params = { params: { id: String(id) } };
      return (await openPage(staffClient, admin, accountPaths.apiClient("staff", id), params)).html;
    };
    expect(textsOf(await open(), ".tag")).toEqual(["Valid", "Active"]);
    await getDb().deleteFrom("userRights").where("userId", "=", stella.id).where("right", "=", "finance").execute();
    const html = await open();
    expect(textsOf(html, ".tag")).toEqual(["Valid", "No scope"]);
    const text = pageText(html);
    expect(text).toContain(
      "This client can do nothing now. Its scopes are beyond the rights of whoever answers for it, or made its secret.",
    );
    expect(text).toMatch(/sales-orders:write does not count: it needs the right Finance or Admin\./);
    expect(text.match(/does not count: it needs the right Finance or Admin/g)).toHaveLength(1);
    const list = pageText((await openPage(staffList, admin, accountPaths.apiClients("staff"))).html);
    expect(list).toContain("No scope");
  });

  test("changes what the client may do, after a fresh proof; a token loses the scope at once", async () => {
    const { id } = await makeClient(owner, ["codes:read", "certificates:read"]);
    const fields = { ...clientFields(), intent: "change", scopes: "certificates:read", networks: "192.0.2.1" };
    const unproved = await signedInAs({ ...owner, proof: null });
    expect((await onClient(id, fields, unproved)).headers.get("Location")).toMatch(/^\/second-factors\/confirm/);
    expect((await onClient(id, fields)).status).toBe(303);
    const row = await getDb().selectFrom("apiClients").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ scopes: "certificates:read", networks: "192.0.2.1", name: fields.name });
  });
});

describe("who manages clients", () => {
  test.each(["purchaser", "technical", "reader"] as const)("no %s sees, makes or changes one", async (role) => {
    const { id } = await makeClient(owner, ["codes:read"]);
    const member = await signedInAs(await createColleague(owner, role));
    const answers = [
      await run(listPage.loader, member.get(LIST)),
      await run(clientPage.loader, member.get(accountPaths.apiClient("company", id)), { id: String(id) }),
      await create(clientFields(), member),
      await onClient(id, { intent: "revoke", confirmed: "yes" }, member),
    ];
    for (const answer of answers) expect(answer.headers.get("Location")).toBe("/home/dashboard");
    expect((await openPage(companyPage, member, paths.company)).html).not.toContain(LIST);
    expect((await openPage(companyPage, visitor, paths.company)).html).toContain(LIST);
  });

  test("an administrator who acts as an owner sees them, and makes none", async () => {
    const { visitor: actor } = await acting(await createAdmin(), owner);
    const { html } = await openPage(listPage, actor, LIST);
    expect(html).not.toContain(NEW);
    expect((await create(clientFields(), actor)).status).toBe(403);
  });

  test("a user administrator whose rights allow no scope reads why instead of a form", async () => {
    const rita = await signedInAs(await createStaff(["user-administrator"]));
    const path = accountPaths.newApiClient("staff");
    const list = await openPage(staffList, rita, accountPaths.apiClients("staff"));
    expect(pageText(list.html)).toContain("your rights allow none of the scopes");
    expect(list.html).not.toContain(path);
    const form = await openPage(staffNew, rita, path);
    expect(pageText(form.html)).toContain("your rights allow none of the scopes");
    expect(select(form.html, "main form, input[name=name]").length).toBe(0);
    const before = await countClients();
    const fields = { ...clientFields(), scopes: "codes:read" };
    expect((await run(staffNew.action, await rita.post(path, fields))).status).toBe(422);
    expect(await countClients()).toBe(before);
  });

  test("user administrators make those of staff; an auditor sees them only; owners see neither", async () => {
    const admin = await signedInAs(await createStaff(["user-administrator", "finance"]));
    const path = accountPaths.newApiClient("staff");
    const form = await openPage(staffNew, admin, path);
    expect(select(form.html, "input[name=scopes][value='sales-orders:write']").attr("disabled")).toBeUndefined();
    expect(select(form.html, "input[name=scopes][value='codes:write']").attr("disabled")).toBeDefined();
    expect(pageText(form.html)).toContain("codes:write Not possible: needs the right Registration officer or Admin.");
    const fields = { ...clientFields(), scopes: "sales-orders:write" };
    const made = await run(staffNew.action, await admin.post(path, fields));
    expect(made.status).toBe(200);
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const { html } = await openPage(staffList, auditor, accountPaths.apiClients("staff"));
    expect(pageText(html)).toContain(fields.name);
    expect(html).not.toContain(path);
    const refused = [
      await run(staffNew.action, await auditor.post(path, fields)),
      await run(staffList.loader, visitor.get(accountPaths.apiClients("staff"))),
    ];
    for (const answer of refused) expect(answer.headers.get("Location")).toBe("/home/dashboard");
  });
});
