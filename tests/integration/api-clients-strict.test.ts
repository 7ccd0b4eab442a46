import { beforeAll, expect, test } from "vitest";
import { decideRequest } from "~/domain/accounts/administration/dual-control.service.server";
import { addSecret } from "~/domain/api-clients/secrets.service.server";
import { getDb } from "~db/connection.server";
import { askToken, makeClient, newestSecret, refusalIn } from "../support/api-clients";
import { personOf } from "../support/companies";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal({}, "strict");

type Account = Awaited<ReturnType<typeof createAdmin>>;
let ada: Account;
let bea: Account;

const form = ["sales-orders:read", "sales-orders:write"] as const;
const scopesOf = async ({ id }: { id: number }) =>
  (await getDb().selectFrom("apiClients").select("scopes").where("id", "=", id).executeTakeFirstOrThrow()).scopes;
const requestFor = ({ id }: { id: number }) =>
  getDb().selectFrom("dualControlRequests").selectAll().where("apiClientId", "=", id).executeTakeFirstOrThrow();
const actorOf = async (account: Account) => (await personOf(account)).actor;

beforeAll(async () => {
  ada = await createAdmin({ firstName: "Ada" });
});

test("without a second user administrator no client of staff writes", async () => {
  await expect(makeClient(ada, form, { kind: "staff" })).rejects.toThrow("no other one can log in");
  expect(await getDb().selectFrom("apiClients").selectAll().execute()).toEqual([]);
});

test("a client of staff writes when a second user administrator has approved it, and reads before", async () => {
  bea = await createStaff(["user-administrator"], { firstName: "Bea" });
  const client = await makeClient(ada, form, { kind: "staff" });
  expect(await scopesOf(client)).toBe("sales-orders:read");
  expect(await refusalIn(await askToken(client, { scope: "sales-orders:write" }))).toMatchObject({
    error: "invalid_scope",
  });
  const request = await requestFor(client);
  expect(request.reason).toContain(client.clientId);
  await expect(decideRequest(request, "approved", await actorOf(ada))).rejects.toThrow("another user administrator");
  expect(await scopesOf(client)).toBe("sales-orders:read");
  await decideRequest(request, "approved", await actorOf(bea));
  expect(await scopesOf(client)).toBe("sales-orders:read sales-orders:write");
  expect((await askToken(client, { scope: "sales-orders:write" })).status).toBe(200);
});

test("a client with writing scopes only has none until then, and gets no token", async () => {
  const client = await makeClient(ada, ["codes:write"], { kind: "staff" });
  expect(await refusalIn(await askToken(client))).toMatchObject({ status: 400, error: "invalid_scope" });
  await decideRequest(await requestFor(client), "refused", await actorOf(bea));
  expect(await scopesOf(client)).toBe("");
});

test("only whoever answers for a client that writes as staff makes new secrets", async () => {
  const client = await makeClient(ada, form, { kind: "staff" });
  await decideRequest(await requestFor(client), "approved", await actorOf(bea));
  const add = async (account: Account) =>
    addSecret(await personOf(account), "staff", client.id, {
      newest: await newestSecret(client.id),
      overlap: "until-ended",
    });
  await expect(add(bea)).rejects.toThrow("only whoever answers for it");
  expect(await add(ada)).toMatchObject({ clientId: client.clientId });
});

test("clients of companies need no second person", async () => {
  const client = await makeClient(await createUser(), ["certificates:write"]);
  expect(await scopesOf(client)).toBe("certificates:write");
});
