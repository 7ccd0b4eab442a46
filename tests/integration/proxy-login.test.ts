import { beforeEach, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { auditAbout, storedUser } from "../support/administration";
import { ApiClient } from "../support/api";
import { AUTH_PROXY, FROM_PROXY } from "../support/auth-proxy";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { setVariables } from "../support/variables";

usePortal(AUTH_PROXY);

const SECRET = AUTH_PROXY.AUTH_PROXY_SECRET;

interface Answer {
  status: number;
  result: { success: boolean; serverDescription: string; errorMessage: string };
  access_token?: string;
}

async function proxyLogin(
  fields: Record<string, string>,
  { secret = SECRET, headers = FROM_PROXY }: { secret?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields);
  const answer = await new ApiClient(secret).send("token/proxy", { method: "POST", body, headers });
  return { status: answer.status, ...((await answer.json()) as Omit<Answer, "status">) };
}

const refusal = (serverDescription: string) => ({
  status: 400,
  result: { success: false, serverDescription, errorMessage: expect.stringMatching(/./) as string },
});

describe("a login through the authentication proxy", () => {
  test("[API-01] returns the documented fields, is audited as a login, and gives a token that makes calls", async () => {
    const user = await createUser({ email: "proxied@example.com" });
    const { access_token, ...rest } = await proxyLogin({ username: "Proxied@example.com", password: TEST_PASSWORD });
    expect(rest).toEqual({
      status: 200,
      result: { success: true, serverDescription: "0:Success", errorMessage: "" },
      token_type: "bearer",
      username: "proxied@example.com",
      rights: "Applicant",
      userId: user.id,
    });
    const me = await new ApiClient(access_token).get<{ userId: number }>("UserRegistration/GetUserDetails");
    expect(me.content.userId).toBe(user.id);
    expect((await auditAbout(user)).map(({ event }) => event)).toEqual(["account.logged-in"]);
    expect((await storedUser(user)).lastLoginAt).not.toBeNull();
    const staff = await createAdmin();
    expect(await proxyLogin({ username: staff.email, password: TEST_PASSWORD })).toMatchObject({ rights: "Admin" });
  });

  test("[API-01] has a number for each outcome and reports an expired password", async () => {
    const wrong = await createUser();
    expect(await proxyLogin({ username: "nobody@example.com", password: "x" })).toEqual(refusal("3:InvalidUsername"));
    expect(await proxyLogin({ username: wrong.email, password: "x" })).toEqual(refusal("4:InvalidPassword"));
    const closed = await createUser({ isDisabled: true });
    const expired = await createUser({ mustChangePassword: true });
    const right = { password: TEST_PASSWORD };
    expect(await proxyLogin({ username: closed.email, ...right })).toEqual(refusal("5:AccountDisabled"));
    expect((await proxyLogin({ username: expired.email, ...right })).result.serverDescription).toBe(
      "2:PasswordExpired",
    );
    expect(await proxyLogin({ username: " ", ...right })).toEqual(refusal("token.request"));
    expect(await proxyLogin({ username: wrong.email })).toEqual(refusal("token.request"));
  });

  test("[LOG-03] locks the account after five wrong passwords, for the network that the proxy names", async () => {
    const user = await createUser();
    const from = (client: string) => ({ headers: { ...FROM_PROXY, "Auth-Proxy-Client": client } });
    const right = { username: user.email, password: TEST_PASSWORD };
    expect((await proxyLogin(right, from("203.0.113.9"))).status).toBe(200);
    for (let tries = 1; tries < 5; tries += 1)
      expect(await proxyLogin({ ...right, password: "x" }, from("198.51.100.1"))).toEqual(refusal("4:InvalidPassword"));
    expect(await proxyLogin({ ...right, password: "x" }, from("198.51.100.1"))).toEqual(refusal("6:AccountLocked"));
    expect(await proxyLogin(right, from("198.51.100.1"))).toEqual(refusal("6:AccountLocked"));
    // The account has logged in from this network before: see docs/decisions/0042.
    expect((await proxyLogin(right, from("203.0.113.9"))).status).toBe(200);
    expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.locked");
  });
});

describe("access to the proxy login", () => {
  let fields: Record<string, string>;
  beforeEach(async () => {
    fields = { username: (await createUser()).email, password: TEST_PASSWORD };
    setVariables(AUTH_PROXY);
  });

  test.each([
    ["another secret", { secret: `${SECRET}.` }],
    ["no secret", { secret: "" }],
    ["another address", { headers: { "x-marque-address": "192.0.2.16" } }],
    ["no address", { headers: { "x-marque-address": "" } }],
  ])("[API-01] [API-06] is refused with 401 for %s, and no password is checked", async (_, from) => {
    const answer = await proxyLogin({ ...fields, password: "wrong" }, from);
    expect(answer).toEqual({
      status: 401,
      result: {
        success: false,
        serverDescription: "token.proxy",
        errorMessage: "Only the authentication proxy may make this call.",
      },
    });
    const { failedLogins } = await storedUser({ id: await idOf(fields.username ?? "") });
    expect(failedLogins).toBe(0);
  });

  test.each(["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7"])(
    "[API-01] is granted to the address %s",
    async (address) => {
      expect((await proxyLogin(fields, { headers: { "x-marque-address": address } })).status).toBe(200);
    },
  );

  test("[API-01] is off unless configured: 404 for everybody", async () => {
    setVariables({ AUTH_PROXY_SECRET: "", AUTH_PROXY_ADDRESSES: "" });
    const answer = await proxyLogin(fields);
    expect([answer.status, answer.result.serverDescription]).toEqual([404, "not-found"]);
  });
});

const idOf = async (email: string): Promise<number> =>
  (await getDb().selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;
