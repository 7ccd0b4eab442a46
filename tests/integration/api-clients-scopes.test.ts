import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call } from "~/api/call";
import { CALLS } from "~/api/table.server";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { changeApiClient } from "~/domain/api-clients/api-clients.service.server";
import { isWriting, readScopes, type Scope, SCOPES, scopesFor } from "~/domain/api-clients/scopes.policy";
import { addSecret } from "~/domain/api-clients/secrets.service.server";
import { isCompanyTask } from "~/domain/companies/roles.policy";
import * as trailPage from "~/routes/home.audit-trail";
import { getDb } from "~db/connection.server";
import { mint } from "../support/acting";
import { auditAbout } from "../support/administration";
import { ApiClient, apiClientOf } from "../support/api";
import {
  askToken,
  clientFields,
  type Credentials,
  makeClient,
  newClientProgram,
  newestSecret,
  programOf,
  refusalIn,
} from "../support/api-clients";
import { complete, orderBody } from "../support/api-orders";
import { issueCertificate } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { personOf } from "../support/companies";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { jsonOf, run, signedInAs } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

type Person = Awaited<ReturnType<typeof createUser>>;
let owner: Person;
let admin: Person;
/** Programs with every scope that a client of a company, and of staff, can have. */
let ofCompany: ApiClient;
let ofStaff: ApiClient;
let credentials: Credentials;

beforeAll(async () => {
  [owner, admin] = [await createUser(), await createAdmin()];
  await createCode(owner, { code: "CL1E" }); // owners of codes may search the register
  credentials = await makeClient(owner, scopesFor("company"));
  ofCompany = await programOf(credentials);
  ofStaff = (await newClientProgram(admin, scopesFor("staff"), { kind: "staff" })).program;
});

const jsonBody = { headers: { "Content-Type": "application/json" }, body: "{}" };

async function answerTo(program: ApiClient, { path, method }: Call) {
  const answer = await program.send(path, method === "POST" ? { method, ...jsonBody } : {});
  const code = answer.ok ? "" : ((await answer.clone().json()) as { errorCode?: string }).errorCode;
  return { status: answer.status, code, challenge: answer.headers.get("WWW-Authenticate") };
}

const needingToken = CALLS.filter(({ who }) => who !== "anyone");
const table: string[][] = [];
afterAll(() => process.stdout.write(`${table.map((row) => row.join("  ")).join("\n")}\n`));

describe("the calls of API clients", () => {
  test.each(needingToken.map((call) => [`${call.method} ${call.path}`, call] as const))(
    "[API-06] %s: only with its scope, or not at all",
    async (name, call) => {
      table.push([name.padEnd(56), call.scope ?? "people only"]);
      const others = scopesFor("company").filter((scope) => scope !== call.scope);
      const without = await programOf(credentials, { scope: others.join(" ") });
      const refused = await answerTo(without, call);
      const challenge = `Bearer realm="api", error="insufficient_scope"${call.scope ? `, scope="${call.scope}"` : ""}`;
      expect(refused).toEqual({ status: 403, code: call.scope ? "client.scope" : "client.person-only", challenge });
      if (!call.scope) return expect(await answerTo(ofStaff, call)).toMatchObject({ code: "client.person-only" });
      const isForCompany = SCOPES[call.scope].role !== null && (call.who === "user" || isCompanyTask(call.who));
      const answer = await answerTo(isForCompany ? ofCompany : ofStaff, call);
      expect(["client.scope", "client.person-only", "account.right", "company.role"]).not.toContain(answer.code);
    },
  );

  test("none of them is about tokens or passwords, needs a fresh proof, or manages members or clients", () => {
    const open = CALLS.filter(({ scope }) => scope !== null);
    expect(open.filter(({ group, needsProof }) => needsProof || ["Tokens", "User security"].includes(group))).toEqual(
      [],
    );
    expect(open.filter(({ group, scope }) => group === "Companies" && scope !== "companies:read")).toEqual([]);
    expect(new Set(open.map(({ scope }) => scope))).toEqual(new Set(Object.keys(SCOPES)));
  });

  test("a call without a token ignores that of a client, which cannot log in as a user", async () => {
    expect((await ofStaff.get("UserRegistration/GetCountries")).status).toBe(200);
    const user = await createUser();
    const authString = await mint(await signedInAs(admin), user);
    const answer = await ofStaff.grant({ grant_type: "login_as_user", userId: String(user.id), authString });
    expect(await refusalIn(answer)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("a token in the address is not taken from a client", async () => {
    const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const path = `Certificates/DownloadMyCertificate?certificateId=${id}&certificateType=PEM&fileExtension=PEM`;
    expect((await ofCompany.send(path)).status).toBe(200);
    expect((await new ApiClient().send(`${path}&access_token=${ofCompany.token}`)).status).toBe(401);
  });
});

describe("a client of a company", () => {
  test("[PUR-01] orders for its company; the owner who answers for it is the orderer, and the entry names the client", async () => {
    const { credentials: store, program } = await newClientProgram(owner, ["certificates:write"], { name: "Store" });
    const { content } = await complete(program, orderBody(makeCsr().pem));
    const order = await getDb()
      .selectFrom("orders")
      .selectAll()
      .where("id", "=", content.orderId)
      .executeTakeFirstOrThrow();
    expect(order).toMatchObject({ userId: owner.id, companyId: owner.companyId });
    const entries = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .where("orderId", "=", content.orderId)
      .execute();
    expect(entries.length).toBeGreaterThan(0);
    const made = (await auditAbout(owner)).findLast(({ event }) => event === "api-client.created");
    expect(made?.message).toBe(`Made the API client Store (${store.clientId}) with the scope certificates:write.`);
    for (const entry of entries)
      expect(entry).toMatchObject({
        actorId: owner.id,
        apiClientId: store.id,
        actorName: `Store (API client ${store.clientId} of ${owner.company})`,
      });
    const trail = (await signedInAs(admin)).get(`/home/audit-trail?person=${store.clientId}`);
    const { rows } = await jsonOf<{ rows: { orderId: number }[] }>(await run(trailPage.loader, trail));
    expect(rows.map(({ orderId }) => orderId)).toEqual(entries.map(() => content.orderId));
  });

  test("needs the right Applicant of the owner, as the owner does", async () => {
    const other = await createUser({ isApplicant: false });
    const { program } = await newClientProgram(other, ["certificates:write"]);
    expect(await complete(program, orderBody(makeCsr().pem))).toMatchObject({ status: 403, code: "account.right" });
  });

  test("with reading scopes only neither orders nor revokes", async () => {
    const { program } = await newClientProgram(owner, ["certificates:read", "downloads:read"]);
    const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const answers = [
      await complete(program, orderBody(makeCsr().pem)),
      await program.post("certificates/revoke", { certificateId: id, reasonTypeId: 3 }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, code: "client.scope" });
  });

  test("has no rights of staff, even when its owner has all of them", async () => {
    const boss = await createAdmin({ isApplicant: true });
    const stranger = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const { program } = await newClientProgram(boss, scopesFor("company"));
    expect((await program.get("certificates/getcertificate", { id: stranger.id })).status).toBe(404);
    expect((await program.get<unknown[]>("certificates/getcertificates")).content).toEqual([]);
    expect((await program.get("codes/getSalesOrders")).code).toBe("account.right");
  });

  test("its Idempotency-Key is not that of its owner", async () => {
    const { program } = await newClientProgram(owner, ["certificates:write"]);
    const person = await apiClientOf(owner.email, TEST_PASSWORD);
    const [one, two] = [orderBody(makeCsr().pem), orderBody(makeCsr().pem)];
    const first = await complete(program, one, "the-same-key");
    expect((await complete(program, one, "the-same-key")).content.orderId).toBe(first.content.orderId);
    expect((await complete(person, two, "the-same-key")).status).toBe(200);
  });
});

describe("a client of staff", () => {
  test("sees all customers, and nothing of the company of whoever answers for it", async () => {
    const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const { program } = await newClientProgram(admin, ["certificates:read"], { kind: "staff" });
    expect((await program.get("certificates/getcertificate", { id })).status).toBe(200);
    expect((await ofStaff.get("codes/GetCodeCountForUser")).content).toBe(0);
  });

  test("does what its scopes need, and nothing else that its user administrator may do", async () => {
    const stella = await createStaff(["user-administrator", "finance"]);
    const orderId = await createCodeOrder(owner, "Basic", 2);
    const { program, credentials: clerk } = await newClientProgram(
      stella,
      ["sales-orders:read", "sales-orders:write"],
      {
        kind: "staff",
      },
    );
    const { content } = await program.get<Record<string, unknown>>("codes/getSalesOrder", { id: orderId });
    const body = { id: orderId, remarks: "By the program", updatedAt: content.updatedAt };
    const changed = await program.post("codes/updateSalesOrder", body);
    expect(changed).toMatchObject({ status: 200 });
    const entry = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .where("apiClientId", "=", clerk.id)
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      actorId: stella.id,
      orderId,
      actorName: expect.stringContaining("of staff") as string,
    });
    const reader = await programOf(clerk, { scope: "sales-orders:read" });
    expect(await reader.post("codes/updateSalesOrder", body)).toMatchObject({ status: 403, code: "client.scope" });
    await getDb().updateTable("apiClients").set({ scopes: "sales-orders:read" }).where("id", "=", clerk.id).execute();
    expect(await program.post("codes/updateSalesOrder", body)).toMatchObject({ status: 403, code: "client.scope" });
  });

  test("has no scope beyond the rights of whoever makes or changes it", async () => {
    const rita = await createStaff(["user-administrator"]);
    await expect(makeClient(rita, ["sales-orders:write"], { kind: "staff" })).rejects.toThrow(
      "These scopes are beyond your rights: sales-orders:write needs the right Finance or Admin.",
    );
    const { id } = await makeClient(admin, ["certificates:read"], { kind: "staff" });
    const change = async (person: Person, scopes: Scope[], client: number) =>
      changeApiClient(await personOf(person), "staff", client, { ...clientFields(), scopes, networks: [] });
    await expect(change(rita, ["certificates:read", "sales-orders:write"], id)).rejects.toThrow("beyond your rights");
    await change(rita, ["certificates:read"], id);
    const olga = await createStaff(["user-administrator", "auditor"]);
    const own = await makeClient(olga, ["sales-orders:read"], { kind: "staff" });
    await expect(change(admin, ["sales-orders:read", "codes:write"], own.id)).rejects.toThrow(
      "beyond the rights of the person who answers for the client: codes:write needs the right Registration officer",
    );
  });

  test("has no scope any more for which its person has lost the right, at the next call and at the next token", async () => {
    const stella = await createStaff(["user-administrator", "finance"]);
    const scopes = ["sales-orders:read", "sales-orders:write"] as const;
    const { program, credentials: clerk } = await newClientProgram(stella, scopes, { kind: "staff" });
    const id = await createCodeOrder(owner, "Basic", 2);
    expect((await program.get("codes/getSalesOrder", { id })).status).toBe(200);
    const actor = { id: stella.id, name: "", impersonatorId: null, apiClientId: clerk.id };
    await requireTask(getDb(), actor, "change-sales-orders");
    await getDb().deleteFrom("userRights").where("userId", "=", stella.id).where("right", "=", "finance").execute();
    expect(await program.get("codes/getSalesOrder", { id })).toMatchObject({ status: 403, code: "client.scope" });
    await expect(requireTask(getDb(), actor, "change-sales-orders")).rejects.toMatchObject({ status: 403 });
    expect(await refusalIn(await askToken(clerk))).toMatchObject({
      error: "invalid_scope",
      text: expect.stringContaining("beyond the rights of whoever answers for the client") as string,
    });
  });

  test("does not gain the rights of somebody else who answers for it by a secret that the former person made", async () => {
    const rita = await createStaff(["user-administrator", "finance"]);
    const { program, credentials: clerk } = await newClientProgram(rita, ["sales-orders:read"], { kind: "staff" });
    const newest = await newestSecret(clerk.id);
    const added = await addSecret(await personOf(admin), "staff", clerk.id, { newest, overlap: "until-ended" });
    await getDb().deleteFrom("userRights").where("userId", "=", rita.id).where("right", "=", "finance").execute();
    const statusOf = async (one: ApiClient) => (await one.get("codes/getSalesOrders")).status;
    expect(await statusOf(program)).toBe(403);
    expect(await statusOf(await programOf(added))).toBe(200);
  });

  test("[COD-04] changes codes of customers, but revokes no certificate, which needs a fresh proof", async () => {
    const code = await createCode(owner, { code: "ST1F" });
    const { program } = await newClientProgram(admin, ["codes:write"], { kind: "staff" });
    const body = { code: { id: code.id, tradeName: "By the program" } };
    expect(await program.post("Codes/UpdateEntity", body)).toMatchObject({ status: 200, content: true });
    expect(scopesFor("staff").filter(isWriting)).toEqual(["codes:write", "sales-orders:write", "queue:write"]);
    await expect(newClientProgram(admin, ["certificates:write"], { kind: "staff" })).rejects.toThrow("cannot have");
  });
});

test("scopes in a text are read in order, and unknown ones are omitted", () => {
  expect(readScopes("codes:read  everything certificates:read")).toEqual(["certificates:read", "codes:read"]);
});
