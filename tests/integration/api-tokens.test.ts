import { describe, expect, test } from "vitest";
import { mintAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { redeemTicket } from "~/domain/accounts/tokens/api-tokens.service.server";
import { removeMember } from "~/domain/companies/members.service.server";
import { chooseCompany } from "~/domain/companies/own-companies.service.server";
import * as logout from "~/routes/logout";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { mint } from "../support/acting";
import { ApiClient, apiClientOf } from "../support/api";
import { createCodeOrder } from "../support/codes";
import { personOf } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { QUESTION } from "../support/recovery";
import { run, signedInAs } from "../support/visitor";

usePortal();

const HOUR = 3_600_000;

interface Granted {
  access_token: string;
  token_type: string;
  expires_in: number;
  userId: number;
  username: string;
  rights: string;
  authenticateUserResult: string;
  changePasswordToken?: string;
}

const granted = async (response: Response) => (await response.json()) as Granted;
const refused = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: string; error_description: string; authenticateUserResult?: string }),
});
const whoAmI = (client: ApiClient) => client.get<{ userId: number }>("UserRegistration/GetUserDetails");

describe("[API-01] the token of a person who works for two companies", () => {
  test("is refused while the person works for the other one, and after a removal; a ticket too", async () => {
    const [owner, alice] = [await createUser(), await createUser()];
    const own = alice.companyId;
    await getDb()
      .insertInto("memberships")
      .values({ companyId: owner.companyId, userId: alice.id, role: "purchaser", joinedAt: new Date() })
      .execute();
    const choose = async (id: number) => chooseCompany(await personOf(alice), id);
    const answer = async (client: ApiClient) => {
      const { status, code } = await client.get("certificates/getcertificates");
      return { status, code };
    };
    await choose(owner.companyId);
    const program = await apiClientOf(alice.email, TEST_PASSWORD);
    const { ticket } = (await program.post<{ ticket: string }>("token/ticket")).content;
    expect((await answer(program)).status).toBe(200);
    await choose(own);
    expect(await answer(program)).toEqual({ status: 403, code: "company.changed" });
    const path = `Certificates/DownloadMyCertificate?certificateId=1&access_token=${ticket}`;
    expect((await new ApiClient().send(path)).status).toBe(403);
    expect((await answer(await apiClientOf(alice.email, TEST_PASSWORD))).status).toBe(200);
    const forged = new ApiClient(program.token?.replace(/\d+$/, String(own)));
    expect((await answer(forged)).status).toBe(401);
    await choose(owner.companyId);
    expect((await answer(program)).status).toBe(200);
    await removeMember(await personOf(owner), alice.id);
    expect(await answer(program)).toEqual({ status: 403, code: "company.changed" });
  });
});

describe("the password grant", () => {
  test("[API-01] returns the documented fields and a token that makes calls", async () => {
    const user = await createUser({ email: "api.one@example.com" });
    const answer = await new ApiClient().grant({
      grant_type: "password",
      username: "API.one@example.com",
      password: TEST_PASSWORD,
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const { access_token, ...rest } = await granted(answer);
    expect(rest).toEqual({
      token_type: "bearer",
      expires_in: 28_800,
      userId: user.id,
      username: "api.one@example.com",
      rights: "Applicant",
      authenticateUserResult: "0:Success",
    });
    expect(access_token).toMatch(/^[\w-]{43}\.\d+$/);
    expect((await whoAmI(new ApiClient(access_token))).content.userId).toBe(user.id);
    const rows = await getDb().selectFrom("apiTokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(access_token);
  });

  test.each([
    [{ grant_type: "password", username: "nobody@example.com", password: "x" }, "invalid_grant", "3:InvalidUsername"],
    [{ grant_type: "password", username: "api.two@example.com", password: "x" }, "invalid_grant", "4:InvalidPassword"],
    [
      { grant_type: "password", username: "api.off@example.com", password: TEST_PASSWORD },
      "invalid_grant",
      "5:AccountDisabled",
    ],
    [{ grant_type: "password", username: " ", password: "x" }, "invalid_request", undefined],
    [{ grant_type: "password", username: "api.two@example.com" }, "invalid_request", undefined],
    [{ grant_type: "authorization_code" }, "unsupported_grant_type", undefined],
    [{ grant_type: "client_credentials" }, "invalid_request", undefined],
    [{ grant_type: "constructor" }, "unsupported_grant_type", undefined],
    [{ username: "api.two@example.com", password: TEST_PASSWORD }, "invalid_request", undefined],
  ] as const)("[API-01] refuses %j with %s", async (fields, error, result) => {
    if (result === "4:InvalidPassword") await createUser({ email: "api.two@example.com" });
    if (result === "5:AccountDisabled") await createUser({ email: "api.off@example.com", isDisabled: true });
    const answer = await refused(await new ApiClient().grant(fields));
    expect(answer.status).toBe(400);
    expect(answer.error).toBe(error);
    expect(answer.error_description).not.toBe("");
    expect(answer.authenticateUserResult).toBe(result);
  });

  test("[API-01] reports an expired password and how to change it; until then every other call is refused", async () => {
    const user = await createUser({ email: "api.old@example.com" });
    await updateUser(getDb(), user.id, { mustChangePassword: true }, new Date());
    const fields = { grant_type: "password", username: user.email };
    const first = await granted(await new ApiClient().grant({ ...fields, password: TEST_PASSWORD }));
    expect(first.authenticateUserResult).toBe("2:PasswordExpired");
    const client = new ApiClient(first.access_token);
    expect(await client.get("UserRegistration/CheckVatNumber", { vatNumber: "DE1" })).toMatchObject({ status: 200 });
    const details = { firstName: "A" };
    expect(await client.post("UserRegistration/UpdateUserRegistrationDetails", details)).toMatchObject({
      status: 403,
      code: "account.duty",
    });
    const question = { securityQuestion: "What was the name of your first pet?", securityAnswer: "Bello" };
    const change = { token: first.changePasswordToken, password: "another good battery 7", ...question };
    expect((await client.post("UserSecurity/ChangePassword", change)).content).toMatchObject({ success: true });
    expect((await whoAmI(client)).status).toBe(401);
    const second = await granted(await new ApiClient().grant({ ...fields, password: change.password }));
    expect(second.authenticateUserResult).toBe("0:Success");
  });
});

describe("an invalid token", () => {
  test("[API-06] is refused with 401 in the wrapper: missing, unknown, expired, of an older epoch, of a disabled account, revoked", async () => {
    const user = await createUser({ email: "api.end@example.com" });
    const fresh = () => apiClientOf(user.email, TEST_PASSWORD);
    const INVALID = 'Bearer realm="api", error="invalid_token"'; // RFC 6750 §3.1
    const stale = async (client: ApiClient, asked = INVALID) => {
      const answer = await client.send("UserRegistration/GetUserDetails");
      expect(answer.headers.get("WWW-Authenticate")).toBe(asked);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ success: false, responseContent: null, errorCode: "token.invalid" });
    };
    await stale(new ApiClient(), 'Bearer realm="api"');
    await stale(new ApiClient("x".repeat(43)));
    await stale(new ApiClient("%%%"));

    const late = await fresh();
    await getDb()
      .updateTable("sessions")
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute();
    await stale(late);

    const revoked = await fresh();
    expect((await revoked.post("token/revoke")).content).toBe(true);
    await stale(revoked);

    const ended = await fresh();
    await updateUser(getDb(), user.id, { sessionEpoch: 1 }, new Date());
    await stale(ended);

    const disabled = await fresh();
    expect((await whoAmI(disabled)).status).toBe(200);
    await updateUser(getDb(), user.id, { isDisabled: true }, new Date());
    await stale(disabled);
  });

  test("[API-01] expires after eight hours", async () => {
    const user = await createUser({ email: "api.hours@example.com" });
    await apiClientOf(user.email, TEST_PASSWORD);
    const { expiresAt } = await getDb()
      .selectFrom("apiTokens")
      .select("expiresAt")
      .where("userId", "=", user.id)
      .executeTakeFirstOrThrow();
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeLessThanOrEqual(8 * HOUR);
    expect(left).toBeGreaterThan(7.9 * HOUR);
  });

  test("[API-06] is named in the challenge, whether it came in the header or in a file's address", async () => {
    const asked = async (path: string, authorization = "") => {
      const headers = authorization ? { Authorization: authorization } : undefined;
      const { status, headers: answered } = await new ApiClient().send(path, headers && { headers });
      return [status, answered.get("WWW-Authenticate")];
    };
    const file = "Certificates/DownloadCaRootCertificate";
    expect(await asked(file)).toEqual([401, 'Bearer realm="api"']);
    expect(await asked(`${file}?access_token=`)).toEqual([401, 'Bearer realm="api"']);
    expect(await asked(`${file}?access_token=x`)).toEqual([401, 'Bearer realm="api", error="invalid_token"']);
    expect(await asked(file, "Basic eDp5")).toEqual([401, 'Bearer realm="api"']);
    expect(await asked("UserRegistration/GetUserDetails?access_token=x")).toEqual([401, 'Bearer realm="api"']);
  });

  test("[API-06] is not replaced by a cookie", async () => {
    const answer = await new ApiClient().send("UserRegistration/GetUserDetails", { headers: { Cookie: "marque=x" } });
    expect(answer.status).toBe(401);
  });
});

describe("login as user", () => {
  test("[API-01] works once, with an authString and the token of the administrator who asked for it", async () => {
    const admin = await createAdmin({ email: "api.admin@example.com" });
    const user = await createUser({ email: "api.acted@example.com" });
    const owner = await findSessionUser({ id: admin.id, epoch: 0 });
    if (!owner) throw new Error("no administrator");
    const authString = await mintAuthString(user.id, owner);
    const fields = { grant_type: "login_as_user", authString, userId: String(user.id) };
    const client = await apiClientOf(admin.email, TEST_PASSWORD);

    expect(await refused(await new ApiClient().grant(fields))).toMatchObject({ status: 400, error: "invalid_grant" });
    const customer = await apiClientOf(user.email, TEST_PASSWORD);
    expect(await refused(await customer.grant(fields))).toMatchObject({ status: 400, error: "invalid_grant" });
    const answer = await granted(await client.grant(fields));
    expect(answer).toMatchObject({ userId: user.id, rights: "Applicant", authenticateUserResult: "0:Success" });
    expect((await whoAmI(new ApiClient(answer.access_token))).content.userId).toBe(user.id);
    expect(await refused(await client.grant(fields))).toMatchObject({
      status: 400,
      error: "invalid_grant",
      error_description: "The authString is unknown, used or expired.",
    });

    // The token ends with the administrator's sessions.
    await updateUser(getDb(), admin.id, { sessionEpoch: 1 }, new Date());
    expect((await whoAmI(new ApiClient(answer.access_token))).status).toBe(401);
  });
});

describe("a token of an administrator who acts as a user", () => {
  /** Returns the administrator's own token, and a token for a user that was made with it. */
  async function actingBy() {
    const [admin, user] = [await createAdmin(), await createUser()];
    const visitor = await signedInAs(admin);
    const authString = await mint(visitor, user);
    const own = await apiClientOf(admin.email, TEST_PASSWORD);
    const fields = { grant_type: "login_as_user", authString, userId: String(user.id) };
    const { access_token } = await granted(await own.grant(fields));
    const client = new ApiClient(access_token);
    expect((await whoAmI(client)).content.userId).toBe(user.id);
    return { admin, user, visitor, own, client };
  }
  const ticketOf = async (client: ApiClient) => (await client.post<{ ticket: string }>("token/ticket")).content.ticket;

  test("[API-01] [LOG-09] ends with the administrator's own token, and so do its tickets", async () => {
    const { own, client } = await actingBy();
    const ticket = await ticketOf(client);
    expect((await own.post("token/revoke")).status).toBe(200);
    expect((await whoAmI(client)).status).toBe(401);
    expect(await redeemTicket(ticket)).toBeNull();
  });

  test("[API-01] [LOG-09] expires no later than the administrator's own token", async () => {
    const { own, user, admin } = await actingBy();
    const endOf = async (userId: number) =>
      (await getDb().selectFrom("apiTokens").select("expiresAt").where("userId", "=", userId).executeTakeFirstOrThrow())
        .expiresAt;
    expect(await endOf(user.id)).toBe(await endOf(admin.id));
    expect(own.token).not.toBe("");
  });

  test("[API-01] [LOG-09] ends when the administrator logs out of the session that allowed it", async () => {
    const { own, client, visitor } = await actingBy();
    const ticket = await ticketOf(client);
    await run(logout.action, await visitor.post("/logout"));
    expect((await whoAmI(client)).status).toBe(401);
    expect(await redeemTicket(ticket)).toBeNull();
    expect((await whoAmI(own)).status).toBe(200);
  });

  test("[API-06] [LOG-09] is refused by every call that only the owner may make: 403 account.acting", async () => {
    const { client, user } = await actingBy();
    const details = {
      firstName: user.firstName,
      lastName: user.lastName,
      jobTitle: user.position,
      phone: user.telephoneNumber,
      email: user.email,
    };
    const update = (change: object) =>
      client.post("UserRegistration/UpdateUserRegistrationDetails", { ...details, ...change });
    const question = { securityQuestion: QUESTION, securityAnswer: "Bello", currentPassword: TEST_PASSWORD };
    const answers = [
      await update({ email: "olga@example-association.org" }),
      await update({ password: "a quite new password", currentPassword: TEST_PASSWORD }),
      await update(question),
      await client.post("UserSecurity/UpdateUsername", {
        Username: "olga@example-association.org",
        currentPassword: TEST_PASSWORD,
      }),
    ];
    expect(answers.map(({ status, code, success }) => ({ status, code, success }))).toEqual(
      answers.map(() => ({ status: 403, code: "account.acting", success: false })),
    );
  });
});

test("[API-01] is granted once for one authString; an invalid userId is refused by name", async () => {
  const admin = await createAdmin({ email: "api.admin.once@example.com" });
  const user = await createUser({ email: "api.acted.once@example.com" });
  const owner = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!owner) throw new Error("no administrator");
  const fields = { grant_type: "login_as_user", authString: await mintAuthString(user.id, owner) };
  const client = await apiClientOf(admin.email, TEST_PASSWORD);
  for (const userId of ["0", "x", "99999999999"])
    expect(await refused(await client.grant({ ...fields, userId }))).toMatchObject({
      status: 400,
      error: "invalid_request",
      error_description: "userId: Invalid value.",
    });
  const grants = [1, 2, 3].map(() => client.grant({ ...fields, userId: String(user.id) }));
  expect((await Promise.all(grants)).map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

describe("tickets", () => {
  test("[API-04] are for one download within a minute", async () => {
    const user = await createUser({ email: "api.ticket@example.com" });
    const client = await apiClientOf(user.email, TEST_PASSWORD);
    const ask = async () => (await client.post<{ ticket: string; expiresIn: number }>("token/ticket")).content;
    const first = await ask();
    expect(first.expiresIn).toBe(60);
    expect((await redeemTicket(first.ticket))?.user.id).toBe(user.id);
    expect(await redeemTicket(first.ticket)).toBeNull();
    const second = await ask();
    expect(await redeemTicket(second.ticket, new Date(Date.now() + 61_000))).toBeNull();
    // A ticket is not an access token and cannot make calls.
    expect((await whoAmI(new ApiClient((await ask()).ticket))).status).toBe(401);
  });

  test("[API-04] end with the token that they were made with, and with no other", async () => {
    const { email } = await createAdmin({ email: "api.ticket.end@example.com" });
    const orderId = await createCodeOrder(await createUser(), "Basic", 1);
    const clients = await Promise.all([1, 2].map(() => apiClientOf(email, TEST_PASSWORD)));
    const [first, second] = clients as [ApiClient, ApiClient];
    const { content: fileName } = await first.post<string>("codes/exportCsv", { salesOrderIds: [orderId] });
    const ticketOf = async (client: ApiClient) =>
      (await client.post<{ ticket: string }>("token/ticket")).content.ticket;
    const download = async (ticket: string, method = "GET") => {
      const query = new URLSearchParams({ fileName, access_token: ticket }).toString();
      return (await new ApiClient().send(`codes/downloadCsv?${query}`, { method })).status;
    };
    expect(await download(await ticketOf(first))).toBe(200);
    const [ended, others] = [await ticketOf(first), await ticketOf(second)];
    expect((await first.post("token/revoke")).content).toBe(true);
    expect(await download(ended, "HEAD")).toBe(401);
    expect(await download(ended)).toBe(401);
    expect(await download(`${others.split(".")[0]}.${"0".repeat(64)}`)).toBe(401);
    expect(await download(others)).toBe(200);
  });

  test("[API-04] are used up by a refused download", async () => {
    const user = await createUser({ email: "api.ticket.refused@example.com" });
    const client = await apiClientOf(user.email, TEST_PASSWORD);
    const { ticket } = (await client.post<{ ticket: string }>("token/ticket")).content;
    const path = `Certificates/DownloadMyCertificate?access_token=${ticket}`;
    const statusOf = async (query: string) => (await new ApiClient().send(path + query)).status;
    expect(await statusOf("&certificateId=x")).toBe(422);
    expect(await statusOf("&certificateId=999999")).toBe(401);
  });
});
