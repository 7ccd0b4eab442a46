import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { TEST_EVENT, WEBHOOK_EVENTS } from "~/domain/webhooks/events";
import { accountPaths } from "~/lib/account-paths";
import * as docs from "~/routes/_public.api.docs";
import { ApiClient, apiClientOf, unwrap } from "../support/api";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { description } from "../support/openapi";
import { usePortal } from "../support/portal";
import { TEST_ORIGIN } from "../support/variables";

usePortal();

/** Returns the API reference, or the part of it under a heading, as text. */
async function docsText(heading = ""): Promise<string> {
  const { html } = (await docs.loader().json()) as { html: string };
  const $ = load(html);
  $("td").append(" ");
  const headings = $("h3").filter((_, element) => $(element).text() === heading);
  const part = heading ? headings.nextUntil("h3") : $("body");
  return part.text().replace(/[ \n]+/g, " ");
}

type Json = Record<string, unknown>;

/** Yields every object in a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const post = (path: string, body: BodyInit, type = "application/json") =>
  new ApiClient().send(path, { method: "POST", body, headers: { "Content-Type": type } });

test("[API-05] the introduction names the directory of the ACME server and where its keys are made", async () => {
  const { html } = (await docs.loader().json()) as { html: string };
  const $ = load(html);
  const part = $("h2")
    .filter((_, element) => $(element).text() === "ACME")
    .nextUntil("h2");
  expect(part.find("code").first().text()).toBe(`${TEST_ORIGIN}/acme/directory`);
  expect(part.find("a").attr("href")).toBe(TEST_ORIGIN + accountPaths.standingAuthorisations);
});

test("[API-05] every event of webhooks is described, with its content", () => {
  const { webhooks } = description() as unknown as {
    webhooks: Record<
      string,
      {
        post: {
          requestBody: { content: Record<string, { schema: { properties: Record<string, { required?: string[] }> } }> };
        };
      }
    >;
  };
  expect(Object.keys(webhooks)).toEqual([...Object.keys(WEBHOOK_EVENTS), TEST_EVENT]);
  const { properties } = webhooks["certificate.issued"]?.post.requestBody.content["application/json"]?.schema ?? {};
  expect(Object.keys(properties ?? {})).toEqual(["type", "timestamp", "data"]);
  expect(properties?.data?.required).toContain("certificateId");
});

test("[API-05] groups and headers of answers are described", () => {
  const { tags, components, paths, webhooks } = description() as unknown as {
    webhooks: Record<string, { post: { tags: string[] } }>;
    tags: { name: string; description: string }[];
    components: { responses: Record<string, { headers: object }> };
    paths: Record<
      string,
      Record<string, { tags: string[]; responses: Record<string, { headers?: object; $ref?: string }> }>
    >;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const sent = Object.values(webhooks).map(({ post }) => post);
  expect(new Set([...operations, ...sent].flatMap((one) => one.tags))).toEqual(new Set(tags.map(({ name }) => name)));
  for (const { description: about } of tags) expect(about).not.toBe("");
  for (const { responses } of operations)
    for (const answer of Object.values(responses)) expect(answer.$ref ?? answer.headers).toBeTruthy();
  expect(Object.keys(components.responses.Refused429?.headers ?? {})).toContain("Retry-After");
  expect(Object.keys(components.responses.Refused401?.headers ?? {})).toContain("WWW-Authenticate");
  const list = paths["/api/CertificateRepository/DownloadIssuingCrlSha2"]?.get;
  const file = list ?? operations.find(({ responses }) => "206" in responses);
  expect(Object.keys(file?.responses["200"]?.headers ?? {})).toEqual(
    expect.arrayContaining(["ETag", "Last-Modified", "Cache-Control", "Content-Disposition", "X-Request-Id"]),
  );
});

test("[API-06] a body of thousands of unknown fields is refused in a few kilobytes", async () => {
  const many = Object.fromEntries(Array.from({ length: 22_000 }, (_, index) => [`u${index}`, 1]));
  const long = { ["x".repeat(50_000)]: 1 };
  for (const [body, named] of [
    [many, 100],
    [long, 2],
  ] as const) {
    const answer = await post("UserSecurity/RequestPasswordResetEmail", JSON.stringify(body));
    const text = await answer.text();
    expect([answer.status, text.length < 20_000]).toEqual([422, true]);
    const { errors, responseText } = JSON.parse(text) as { errors: object; responseText: string };
    expect(Object.keys(errors).length).toBeLessThanOrEqual(named === 100 ? 100 : 20);
    if (named === 100)
      expect(responseText).toMatch(/^The request has fields that are not valid\. 100 of \d+ are named\.$/);
  }
});

describe("types", () => {
  test("[API-05] no alternative is described twice and none is empty on the page", async () => {
    const alternatives = [...objectsIn(description())].flatMap(({ anyOf }) => (anyOf ? [anyOf as unknown[]] : []));
    for (const anyOf of alternatives)
      expect(new Set(anyOf.map((one) => JSON.stringify(one))).size, JSON.stringify(anyOf)).toBe(anyOf.length);
    const page = await docsText();
    expect(page).toContain('failureReason: "AccountLocked" | "InvalidSecurityAnswer" | "InvalidResetCode" | null;');
    expect(page).not.toMatch(/\| ?[|;]|\bor or\b/);
    expect(await docsText("POST codes/updateSalesOrder")).toContain("invoiceTotal number or string or null");
    expect(await docsText("POST codes/exportCsv")).toContain("Ids; at most 100");
  });

  test("[API-05] files can be requested with the token in the header or in their address", () => {
    const security = (path: string, method: string) =>
      (description().paths[`/api/${path}`]?.[method] as unknown as { security: unknown }).security;
    for (const { path, method, who, answer } of CALLS) {
      const ways = [{ token: [] }, ...(answer.kind === "file" ? [{ ticket: [] }] : [])];
      expect(security(path, method.toLowerCase()), path).toEqual(who === "anyone" ? [] : ways);
    }
    expect(description()).toMatchObject({
      components: { securitySchemes: { ticket: { type: "apiKey", in: "query", name: "access_token" } } },
    });
  });
});

describe("requests", () => {
  test("[API-05] [API-06] a POST without fields has a body, and the description says so", async () => {
    const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
    for (const path of ["token/ticket", "token/revoke"]) {
      expect(await docsText(`POST ${path}`)).toContain("It takes no fields: the body is {}.");
      expect((await staff.send(path, { method: "POST" })).status).toBe(415);
    }
    expect(await docsText("GET UserRegistration/GetCountries")).toContain("It takes no fields.");
    expect((await staff.post("token/ticket")).status).toBe(200);
  });

  test("[API-05] [API-06] ignored values are named: the query of a POST, other fields of a token's form, the repository's query", async () => {
    expect(await docsText()).toContain(
      "The query of a POST, and other fields in the form of POST token or in the query of the certificate repository, are ignored.",
    );
    const body = JSON.stringify({ emailAddress: "a@example-parts.com" });
    expect((await post("UserSecurity/RequestPasswordResetEmail?x=1", body)).status).toBe(200);
    const form = new URLSearchParams({ grant_type: "password", username: "x@y.example", password: "x", scope: "all" });
    const refused = (await (await post("token", form, "application/x-www-form-urlencoded")).json()) as Json;
    expect(refused).toMatchObject({ authenticateUserResult: "3:InvalidUsername" });
    expect((await new ApiClient().send("CertificateRepository/DownloadCertificatePolicy?x=1")).status).toBe(200);
  });

  test("[API-06] an export with an unknown order is refused, as the page says", async () => {
    const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
    expect(await staff.post("codes/exportCsv", { salesOrderIds: [999_999] })).toMatchObject({
      status: 422,
      code: "orders.export",
    });
    expect(await docsText("POST codes/exportCsv")).toContain(
      "422: One of the orders does not exist, which errors names (orders.export)",
    );
  });

  test("[API-05] the page states the range of a revocation date and the effects of a sales order's status", async () => {
    expect(await docsText("POST certificates/revoke")).toContain("from its startDate to its endDate");
    const sales = await docsText("POST codes/updateSalesOrder");
    for (const words of ["the portal issues the invoice", "both are cleared", "credited at once"])
      expect(sales).toContain(words);
    for (const code of ["order.update", "invoice.by-hand", "invoice.credit-reason"]) expect(sales).toContain(code);
  });
});

describe("refusals", () => {
  test("[API-05] [API-06] a body that is too large or unreadable has the code that the page states", async () => {
    const page = await docsText();
    const refusals: [string, number, string][] = [
      [JSON.stringify({ emailAddress: "a".repeat(300_000) }), 413, "body.too-large"],
      [JSON.stringify({ resetBaseUrl: `<${"x".repeat(10_000)}` }), 413, "body.malformed"],
      ["{", 400, "body.malformed"],
    ];
    for (const [body, status, code] of refusals) {
      expect(await unwrap(await post("UserSecurity/RequestPasswordResetEmail", body))).toMatchObject({ status, code });
      expect(page).toMatch(new RegExp(`${status}[^0-9]+${code}`));
    }
    expect(page).not.toContain("form.");
    expect(page).toContain("errors when fields are the reason, whatever its status and code");
  });
});
