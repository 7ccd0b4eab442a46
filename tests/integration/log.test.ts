import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { type ActionFunctionArgs, type ServerBuild } from "@remix-run/node";
import express from "express";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handleError } from "~/entry.server";
import { FAILURE_CODES } from "~/http/failure-codes";
import { withPortalErrors } from "~/http/portal-errors.server";
import { requestLog } from "~/http/request-log.server";
import { log, makeLog } from "~/lib/log.server";
import { getConnection, getDb } from "~db/connection.server";
import { createAdmin, createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { anonymous, signedInAs, type Visitor } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal();

let written = "";

beforeEach(() => {
  written = "";
  log.replace(makeLog("trace", { write: (line: string) => void (written += line) }));
});
afterEach(() => log.clear());

const lines = () =>
  written
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const manifest = flatRoutes(resolve("app"));
const REQUEST_ID = "3f0c6a9e-0000-4000-8000-000000000000";

/** Runs a handler of a real route as the server does, including its error handling and log. */
async function serve(
  name: string,
  handler: "loader" | "action",
  request: Request,
  params: Record<string, string> = {},
) {
  const id = `routes/${name}`;
  const module = (await import(resolve("app", manifest[id]?.file ?? name))) as object;
  const build = { routes: { [id]: { id, path: "", module } } } as unknown as ServerBuild;
  const run = withPortalErrors(build).routes[id]?.module[handler] as (args: ActionFunctionArgs) => Promise<unknown>;
  expect(run, `${name} has a ${handler}`).toBeInstanceOf(Function);
  const context = { cspNonce: "nonce", requestId: REQUEST_ID };
  try {
    return await run({ request, params, context });
  } catch (error) {
    if (!(error instanceof Response)) handleError(error, { request, params, context });
    return error;
  }
}

async function withoutTable(table: string, work: () => Promise<unknown>) {
  await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(getDb());
  try {
    await work();
  } finally {
    await sql`alter table ${sql.table(`${table}_away`)} rename to ${sql.table(table)}`.execute(getDb());
  }
}

describe("error codes", () => {
  test("[API-07] exist for every handler", async () => {
    for (const [name, codes] of Object.entries(FAILURE_CODES)) {
      const module = (await import(resolve("app", manifest[`routes/${name}`]?.file ?? name))) as object;
      for (const handler of Object.keys(codes)) expect(Object.keys(module), name).toContain(handler);
    }
  });

  const pages: [string, string, string, string, string][] = [
    ["home.certificates", "loader", "/home/certificates", "certificates", "OCA0901E"],
    ["home.codes", "loader", "/home/codes", "codes", "OCA0B01E"],
    ["home.codes_.code-details_.audit-log", "loader", "/home/codes/code-details/audit-log?code=1", "codes", "OCA0K01E"],
    ["home.certificate-details.$id", "loader", "/home/certificate-details/1", "certificates", "OCA0701E"],
    ["home.certificate-download.$id", "loader", "/home/certificate-download/1", "certificates", "OCA0801E"],
    ["home.certificate.revoke.$id", "loader", "/home/certificate/revoke/1", "certificates", "OCA0N01E"],
    ["home.sale-orders", "loader", "/home/sale-orders", "orders", "OCA0L01E"],
    ["home.sale-orders", "loader", "/home/sale-orders?company=acme", "orders", "OCA0L02E"],
    ["home.sale-orders_.export[.]csv", "loader", "/home/sale-orders/export.csv?all=yes", "orders", "OCA0L03E"],
    ["home.search-codes", "loader", "/home/search-codes?company=acme", "code_words", "OCA0J01E"],
    ["home.sale-orders_.details", "loader", "/home/sale-orders/details?order=1", "orders", "OCA0M02E"],
    ["home.dashboard", "loader", "/home/dashboard", "codes", "IMP0901E"],
    ["home.user-management", "loader", "/home/user-management", "addresses", "OCA0F01E"],
    ["home.manage", "loader", "/home/manage", "settings", "IMP0C01E"],
  ];
  test.each(pages)(
    "[API-07] are logged for a failure of %s's %s with the request id",
    async (name, handler, path, table, code) => {
      const admin = await signedInAs(await createAdmin());
      await withoutTable(table, () => serve(name, handler as "loader", admin.get(path), { id: "1" }));
      const failures = lines().filter(({ msg }) => msg === "unexpected error");
      expect(failures).toEqual([
        expect.objectContaining({ code, requestId: REQUEST_ID, method: "GET", path: path.split("?")[0] }),
      ]);
    },
  );

  test.each([
    ["code=1", "OCA0A02E"],
    ["type=Full", "OCA0A03E"],
    ["parent=1", "OCA0A04E"],
  ])("[API-07] of a failure to save a code depend on what was to be saved: %s", async (query, code) => {
    const user = await signedInAs(await createUser());
    const request = await user.post(`/home/codes/code-details?${query}`, { intent: "save" });
    await withoutTable("codes", () =>
      withoutTable("available_codes", () => serve("home.codes_.code-details", "action", request)),
    );
    expect(lines().at(-1)).toMatchObject({ code, requestId: REQUEST_ID });
  });
});

describe("secrets", () => {
  const SECRET = "Marked-Secret-7391";
  const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`;
  const formsWith = (orderStep: string): [string, string, Record<string, string>][] => [
    ["_public.login", "/login", { username: "anna@example.org", password: SECRET }],
    [
      "_public.register",
      "/register",
      { email: "a@example.org", password: SECRET, confirmPassword: SECRET, securityAnswer: SECRET },
    ],
    ["_public.forgot-password", "/forgot-password", { email: "anna@example.org" }],
    ["_public.reset-code", "/reset-code", { email: "anna@example.org", resetCode: SECRET, securityAnswer: SECRET }],
    [
      "_public.change-password",
      "/change-password",
      { password: SECRET, confirmPassword: SECRET, securityAnswer: SECRET },
    ],
    [
      "home.user-management",
      "/home/user-management",
      { currentPassword: SECRET, password: SECRET, securityAnswer: SECRET },
    ],
    ["home.certificate.$wizard.order", orderStep, { intent: "import", csr: PRIVATE_KEY }],
    ["_public.verify-email.$token", `/verify-email/${SECRET}`, {}],
    ["_public.authorise-order.$token", `/authorise-order/${SECRET}`, { intent: "authorise" }],
    ["_public.new-certificate.$token", `/new-certificate/${SECRET}`, { intent: "imported" }],
    ["_public.no-more-messages.$token", `/no-more-messages/${SECRET}`, {}],
    ["_public.stop-following.$token", `/stop-following/${SECRET}`, {}],
    ["_public.login-as-user.$userId.$authString", `/login-as-user/1/${SECRET}`, {}],
    [
      "_public.reset-code_.$token.$email",
      `/reset-code/${SECRET}/anna@example.org`,
      { resetCode: SECRET, securityAnswer: SECRET },
    ],
    ["partner.verify-token", "/partner/verify-token", { token: SECRET }],
  ];
  const PARAMS = { wizard: "purchase", token: SECRET, authString: SECRET, userId: "1", email: "anna@example.org" };

  const drive = async (visitor: Visitor, orderStep: string) => {
    for (const [name, path, fields] of formsWith(orderStep)) {
      const address = `${path}${path.includes("?") ? "&" : "?"}access_token=${SECRET}`;
      const headers = { Authorization: `Bearer ${SECRET}` };
      await serve(name, "action", await visitor.post(address, { csrf: undefined, ...fields }, headers), PARAMS);
      await serve(name, "action", await visitor.post(address, fields, headers), PARAMS);
    }
  };

  test("[AUD-02] of forms, links and headers are never logged, not even when everything fails", async () => {
    const buyer = await newBuyer({ email: "anna@example.org" });
    await buyer.contact();
    expect((await buyer.order({ intent: "import", csr: PRIVATE_KEY })).status).toBe(422);
    const orderStep = buyer.url("order");
    const visitors = [await anonymous(), buyer.visitor];
    for (const visitor of visitors) await drive(visitor, orderStep);
    const before = lines().length;
    for (const table of ["users", "tokens", "audit_entries", "drafts", "certificates", "mails"])
      await withoutTable(table, async () => {
        for (const visitor of visitors) await drive(visitor, orderStep);
      });
    expect(lines().length).toBeGreaterThan(before + 10); // failures were logged
    expect(written).not.toContain(SECRET);
    for (const visitor of visitors) expect(written).not.toContain(visitor.cookie.split("=")[1]);
  }, 300_000);

  test("[AUD-02] of requests are not in the request log", async () => {
    const server = createServer(express().use(requestLog)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { Authorization: `Bearer ${SECRET}`, Cookie: `marque=${SECRET}` };
    const ofTokens = [`/verify-email/${SECRET}`, `/reset-code/${SECRET}/a@b.org`, `/invitation/${SECRET}`];
    for (const path of [`/api/file?access_token=${SECRET}`, `/register?invitation=${SECRET}`, ...ofTokens])
      await (await fetch(origin + path, { headers, method: "POST", body: SECRET })).text();
    await new Promise((done) => server.close(done));
    const requests = lines().filter(({ msg }) => msg === "request");
    expect(requests.map(({ path }) => path)).toEqual([
      "/api/file",
      "/register",
      "/verify-email/[removed]",
      "/reset-code/[removed]",
      "/invitation/[removed]",
    ]);
    for (const { requestId } of requests) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(written).not.toContain(SECRET);
  });

  test("[AUD-02] that a database quotes in its errors are omitted", async () => {
    const row = {
      tokenHash: SECRET,
      purpose: null as never,
      email: "a@example.org",
      createdAt: new Date(),
      expiresAt: new Date(),
    };
    const error: unknown = await getDb()
      .insertInto("tokens")
      .values(row)
      .execute()
      .catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(Error);
    handleError(error, { request: new Request("http://localhost/"), params: {}, context: {} as never });
    expect(lines()).toHaveLength(1);
    expect(written).not.toContain(SECRET);
    if (getConnection().dialect === "postgres") expect((error as { detail: string }).detail).toContain(SECRET);
  });
});
