import { beforeAll, describe, expect, test } from "vitest";
import { revokeApiClient } from "~/domain/api-clients/api-clients.service.server";
import { logInClient } from "~/domain/api-clients/client-login.service.server";
import { findClientUser } from "~/domain/api-clients/client-user.server";
import { endSecret } from "~/domain/api-clients/secrets.service.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { setCompanyOf, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { ApiClient } from "../support/api";
import { askToken, makeClient, newClientProgram, programOf, refusalIn } from "../support/api-clients";
import { createColleague, personOf } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";

usePortal();

type Person = Awaited<ReturnType<typeof createUser>>;
let owner: Person;
beforeAll(async () => (owner = await createUser({ company: "Client Parts Ltd" })));

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});
const byHeader = (headers: Record<string, string>, fields: Record<string, string> = {}) =>
  new ApiClient().send("token", {
    method: "POST",
    headers,
    body: new URLSearchParams({ grant_type: "client_credentials", ...fields }),
  });
const statusOf = async (program: ApiClient) => (await program.get("certificates/getcertificates")).status;

describe("client credentials", () => {
  test("[API-01] the secret in the body or in the header gives a token for one hour with the scopes of the client", async () => {
    const client = await makeClient(owner, ["certificates:read", "codes:read"]);
    for (const answer of [await askToken(client), await byHeader(basic(client.clientId, client.secret))]) {
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      const { access_token: token, ...rest } = (await answer.json()) as { access_token: string };
      expect(rest).toEqual({ token_type: "bearer", expires_in: 3600, scope: "certificates:read codes:read" });
      expect(await statusOf(new ApiClient(token))).toBe(200);
    }
  });

  test("neither the secret nor the token is stored, only their hashes", async () => {
    const { credentials, program } = await newClientProgram(owner, ["codes:read"]);
    const tables = ["apiClients", "apiClientSecrets", "apiClientTokens", "auditEntries", "securityEvents"] as const;
    const rows = await Promise.all(tables.map((table) => getDb().selectFrom(table).selectAll().execute()));
    expect(credentials.secret).toMatch(/^[\w-]{43}$/);
    for (const text of [credentials.secret, program.token]) expect(JSON.stringify(rows)).not.toContain(text);
  });

  test("`scope` narrows the token, and a scope that the client does not have is refused", async () => {
    const client = await makeClient(owner, ["certificates:read", "certificates:write"]);
    const answer = await askToken(client, { scope: "certificates:read" });
    expect(await answer.json()).toMatchObject({ scope: "certificates:read" });
    for (const scope of ["codes:read", "certificates:read codes:read", "everything"])
      expect(await refusalIn(await askToken(client, { scope }))).toMatchObject({ status: 400, error: "invalid_scope" });
  });

  test.each([
    ["no client", {}, "client_id: This field is required."],
    ["no secret", { client_id: "mc_1" }, "client_secret: This field is required."],
  ])("a request with %s is invalid", async (_, fields, text) => {
    expect(await refusalIn(await byHeader({}, fields))).toEqual({ status: 400, error: "invalid_request", text });
  });

  test("a secret in two places, a client named twice and a malformed header are invalid requests", async () => {
    const { clientId, secret } = await makeClient(owner, ["codes:read"]);
    const header = basic(clientId, secret);
    const answers = [
      await byHeader(header, { client_secret: secret }),
      await byHeader(header, { client_id: "mc_another" }),
      await byHeader({ Authorization: "Basic bm9jb2xvbg==" }),
      await byHeader({ Authorization: `Basic ${Buffer.from("%zz:1").toString("base64")}` }),
    ];
    for (const answer of answers)
      expect(await refusalIn(answer)).toMatchObject({ status: 400, error: "invalid_request" });
  });

  test("a secret in the address is refused and recorded, even when it is right", async () => {
    await forgetSecurityEvents();
    const { clientId, secret } = await makeClient(owner, ["codes:read"]);
    const answer = await new ApiClient().send(`token?client_id=${clientId}&client_secret=${secret}`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: secret }),
    });
    expect(await refusalIn(answer)).toMatchObject({ status: 400, error: "invalid_request" });
    const events = await securityEvents();
    expect(events.map(({ event }) => event)).toContain("client.refused");
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});

describe("a refused client", () => {
  test("[API-06] with a wrong secret or an unknown name is answered alike: 400, or 401 with a challenge when the header was used", async () => {
    const { clientId } = await makeClient(owner, ["codes:read"]);
    const wrong = [
      [clientId, "wrong"],
      ["mc_unknown", "wrong"],
    ] as const;
    const texts = new Set<string>();
    for (const [name, secret] of wrong) {
      const inBody = await refusalIn(await askToken({ clientId: name, secret }));
      expect(inBody).toMatchObject({ status: 400, error: "invalid_client" });
      const inHeader = await byHeader(basic(name, secret));
      expect(inHeader.headers.get("WWW-Authenticate")).toBe('Basic realm="api", charset="UTF-8"');
      expect(await refusalIn(inHeader)).toMatchObject({ status: 401, error: "invalid_client" });
      texts.add(inBody.text);
    }
    expect(texts.size).toBe(1);
  });

  test("with an ended secret, a passed last day or after its revocation gets neither a token nor an answer to an old one", async () => {
    const user = await personOf(owner);
    const secretOf = async ({ id }: { id: number }) =>
      (
        await getDb()
          .selectFrom("apiClientSecrets")
          .select("id")
          .where("apiClientId", "=", id)
          .executeTakeFirstOrThrow()
      ).id;
    const ends = [
      async ({ id }: { id: number }) => endSecret(user, "company", { id, secretId: await secretOf({ id }) }),
      ({ id }: { id: number }) => revokeApiClient(user, "company", id),
      async ({ id }: { id: number }) => {
        await getDb().updateTable("apiClients").set({ endsAt: new Date() }).where("id", "=", id).execute();
      },
    ];
    for (const end of ends) {
      const { credentials, program } = await newClientProgram(owner, ["certificates:read"]);
      expect(await statusOf(program)).toBe(200);
      await end(credentials);
      expect(await statusOf(program)).toBe(401);
      expect(await refusalIn(await askToken(credentials))).toMatchObject({ status: 400, error: "invalid_client" });
    }
  });

  test("events name the client, its company and what was wrong, never the secret", async () => {
    const { credentials, program } = await newClientProgram(owner, ["certificates:read"], { name: "Store" });
    await forgetSecurityEvents();
    await askToken({ ...credentials, secret: "wrong-secret" }, {}, clientFrom("192.0.2.9"));
    await revokeApiClient(await personOf(owner), "company", credentials.id);
    await program.send("certificates/getcertificates", { headers: clientFrom("192.0.2.10") });
    const all = await securityEvents();
    expect(all.map(({ event }) => event)).not.toContain("token.refused"); // the token is known: the client was refused
    const events = all.filter(({ event }) => event === "client.refused");
    const actorName = `Store (API client ${credentials.clientId} of Client Parts Ltd)`;
    expect(events).toMatchObject([
      { actorName, userId: owner.id, address: "192.0.2.9", outcome: "failure", detail: "The secret was wrong." },
      { actorName, detail: "The client is revoked." },
    ]);
    expect(JSON.stringify(events)).not.toContain("wrong-secret");
  });

  test("a token ends after an hour, and a secret at the time that was set when it was replaced", async () => {
    const client = await makeClient(owner, ["codes:read"]);
    const { token } = await logInClient(client, NO_CLIENT);
    const after = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    expect(await findClientUser(token, NO_CLIENT, after(59))).toMatchObject({ user: { id: owner.id } });
    expect(await findClientUser(token, NO_CLIENT, after(61))).toBeNull();
    await expect(logInClient(client, NO_CLIENT, new Date(Date.now() + 40 * DAY))).rejects.toThrow("has ended");
  });
});

describe("the networks of a client", () => {
  const networks = ["192.0.2.0/24", "2001:db8:7::/48"];

  test.each(["192.0.2.77", "2001:db8:7:1::5", "::ffff:192.0.2.77"])("%s is in one of them", async (address) => {
    const client = await makeClient(owner, ["certificates:read"], { networks });
    const answer = await askToken(client, {}, clientFrom(address));
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const headers = clientFrom(address);
    expect((await new ApiClient(token).send("certificates/getcertificates", { headers })).status).toBe(200);
  });

  test.each(["192.0.3.1", "2001:db8:8::1", "::1", "", "unknown"])("%s is in none of them", async (address) => {
    const client = await makeClient(owner, ["certificates:read"], { networks });
    const headers = { ...clientFrom(address), "X-Forwarded-For": "192.0.2.77", Forwarded: "for=192.0.2.77" };
    expect(await refusalIn(await askToken(client, {}, headers))).toMatchObject({
      status: 400,
      error: "unauthorized_client",
    });
    const inside = await askToken(client, {}, clientFrom("192.0.2.1"));
    const { access_token: token } = (await inside.json()) as { access_token: string };
    const answer = await new ApiClient(token).send("certificates/getcertificates", { headers });
    expect([answer.status, await answer.json()]).toMatchObject([403, { errorCode: "client.network" }]);
  });

  test("a token that is used elsewhere is an event with the name of the client", async () => {
    const client = await makeClient(owner, ["certificates:read"], { networks });
    const inside = await askToken(client, {}, clientFrom("192.0.2.1"));
    const { access_token: token } = (await inside.json()) as { access_token: string };
    await forgetSecurityEvents();
    await new ApiClient(token).send("certificates/getcertificates", { headers: clientFrom("198.51.100.1") });
    expect(await securityEvents()).toMatchObject([
      { event: "client.refused", actorName: expect.stringContaining(client.clientId) as string, userId: owner.id },
    ]);
  });
});

describe("whoever answers for a client", () => {
  test.each([
    ["is disabled", (id: number) => updateUser(getDb(), id, { isDisabled: true })],
    ["is locked", (id: number) => updateUser(getDb(), id, { adminLockedAt: new Date() })],
    [
      "is no owner any more",
      (id: number) => getDb().updateTable("memberships").set({ role: "purchaser" }).where("userId", "=", id).execute(),
    ],
    ["has left", (id: number) => getDb().deleteFrom("memberships").where("userId", "=", id).execute()],
  ])("the client is paused when that person %s", async (_, leave) => {
    const company = await createUser();
    const boss = await createColleague(company, "owner");
    const { credentials, program } = await newClientProgram(boss, ["certificates:read"]);
    expect(await statusOf(program)).toBe(200);
    await leave(boss.id);
    expect(await statusOf(program)).toBe(401);
    expect(await refusalIn(await askToken(credentials))).toMatchObject({ status: 400, error: "unauthorized_client" });
  });

  test("a client of staff is paused when its user administrator loses the right", async () => {
    const admin = await createAdmin();
    const { credentials, program } = await newClientProgram(admin, ["certificates:read"], { kind: "staff" });
    expect(await statusOf(program)).toBe(200);
    await updateUser(getDb(), admin.id, { isAdmin: false });
    expect(await statusOf(program)).toBe(401);
    expect((await refusalIn(await askToken(credentials))).error).toBe("unauthorized_client");
  });

  test("a client acts in its own company, whichever company that person works in now", async () => {
    const boss = await createUser({ company: "First Ltd" });
    const program = await programOf(await makeClient(boss, ["companies:read"]));
    const other = await createUser();
    const members = getDb().insertInto("memberships");
    await members
      .values({ companyId: other.companyId, userId: boss.id, role: "owner", joinedAt: new Date() })
      .execute();
    await inTransaction((trx) => setCompanyOf(trx, { companyId: other.companyId, userId: boss.id }, new Date()));
    const { content } = await program.get<{ members: { userId: number }[] }>("Companies/GetMembers");
    expect(content.members.map(({ userId }) => userId)).toEqual([boss.id]);
  });
});
