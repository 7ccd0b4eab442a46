import { Validator } from "@seriousme/openapi-schema-validator";
import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { isCompanyTask } from "~/domain/companies/roles.policy";
import * as docs from "~/routes/_public.api.docs";
import { loader as description } from "~/routes/api.openapi[.]json";
import { ApiClient, apiClientOf, unwrap } from "../support/api";
import { createColleague } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { description as described } from "../support/openapi";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { TEST_ORIGIN } from "../support/variables";

usePortal();

/** The documented calls (API-02, API-03). */
const DOCUMENTED = `
POST token
GET UserRegistration/GetApiHealthCheck
POST UserRegistration/RegisterUser
POST UserRegistration/RegisterUserAdvancedDetails
GET UserRegistration/CheckAdvancedDetailsMissing
POST UserRegistration/UpdateUserRegistrationDetails
GET UserRegistration/GetUserDetails
GET UserRegistration/GetCountries
GET UserRegistration/GetCountryById
GET userRegistration/checkVatNumber
GET configuration/GetVatRate
GET UserSecurity/GetSecurityQuestions
GET UserSecurity/GetSecurityQuestion
GET UserSecurity/UserWithEmailExist
POST UserSecurity/RequestPasswordResetEmail
POST UserSecurity/ValidatePasswordResetData
POST UserSecurity/ChangePassword
POST UserSecurity/UpdateLastLogin
POST UserSecurity/UpdateUsername
POST Configuration/SaveConfig
GET configuration/getHomePageConfig
POST configuration/saveHomePageConfig
POST Log/Log
GET CertificateRepository/DownloadRootCert
GET CertificateRepository/DownloadRootCert/{hash}
GET CertificateRepository/DownloadRootCertPem
GET CertificateRepository/DownloadRootCertDer/{hash}
GET CertificateRepository/DownloadIssuingCertSha1Der
GET CertificateRepository/DownloadIssuingCertSha2Pem
GET CertificateRepository/DownloadIssuingCertSha512Der
GET CertificateRepository/DownloadCertificatePolicy
GET CertificateRepository/DownloadCertificatePractice
GET CertificateRepository/DownloadSubscriberAgreement
GET CertificateRepository/DownloadCertRevListRootSha2
GET CertificateRepository/DownloadCertRevListIssuingSha512
GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha2
GET certificates/getcertificates
GET certificates/getcertificate
GET certificates/GetRenewalState
POST certificates/ApproveOrders
POST certificates/revoke
POST certificates/CompletePurchaseJourney
GET certificates/GetCertificatePrice
POST certificates/DecodeCsrWithValidation
GET certificates/GetDiscountByPromoCode
GET certificates/verifyCertificateExpiryDate
GET certificates/GetPaymentDetails
GET Certificates/DownloadMyCertificate
GET Certificates/DownloadCaIssuingCertificate
GET certificates/GetRevocationReasons
GET invoices/DownloadCertificateInvoice
GET codes/getcode
GET codes/getcodes
GET codes/getcodesavailable
GET codes/GetCodeCountForUser
GET codes/getAuditLogs
GET codes/getPricings
POST Codes/UpdateEntity
POST codes/registerNewEntity
POST codes/registerNewSubEntity
POST codes/checkSubEntityExist
POST codes/purchaseCode
POST codes/completePurchaseJourney
GET Codes/GetCodeContacts
GET codes/search
GET codes/GetOrderStatuses
GET codes/GetCodeStatuses
GET codes/searchSalesOrders
GET codes/getSalesOrder
GET codes/getSalesOrders
GET codes/getUserSalesOrders
POST codes/updateSalesOrder
POST codes/exportCsv
GET codes/downloadCsv
GET invoices/DownloadCodeInvoice
`
  .trim()
  .split("\n");

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const jsonBody = { headers: { "Content-Type": "application/json" }, body: "{}" };

describe("the table of calls", () => {
  test("[API-02] [API-03] has every documented call once, whatever the case of its path", () => {
    const names = CALLS.map((call) => nameOf(call).toLowerCase());
    expect(DOCUMENTED.filter((name) => !names.includes(name.toLowerCase()))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("[API-05] has the same calls as the description, in which a public validator finds no fault", async () => {
    const { valid, errors } = await new Validator().validate((await description().json()) as Record<string, unknown>);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    const paths = Object.entries(described().paths).flatMap(([path, operations]) =>
      Object.keys(operations ?? {}).map((method) => nameOf({ method: method.toUpperCase(), path: path.slice(5) })),
    );
    expect(paths.sort()).toEqual(CALLS.map(nameOf).sort());
  });

  test("[API-05] the API reference has every call, its fields and its answers", async () => {
    const { html } = (await docs.loader().json()) as { html: string };
    expect(textsOf(html, "h3[id]").sort()).toEqual(CALLS.map(nameOf).sort());
    const fields = textsOf(html, "td code");
    for (const field of ["telephoneNumber", "order.quantity", "contacts[].lastname"]) expect(fields).toContain(field);
    const text = pageText(html);
    expect(text).toContain("1 when omitted; 1 to 999");
    expect(text).toContain("parentId: number | null;");
    expect(text).toMatch(/physicalAddress: \{[^}]+\} \| null;/);
    expect(text).toContain("hasDetailsMissing: boolean;");
    expect(text).toContain("access_token: string;");
  });

  test("[API-05] the API reference begins with what holds for every call, with the real limits", async () => {
    const { html } = (await docs.loader().json()) as { html: string };
    const $ = load(html, null, false);
    $("h3").first().nextAll().addBack().remove();
    const beginning = $.html();
    const text = pageText(beginning);
    const said = ["grant_type=password", "login_as_user", "8 hours", "60 seconds", "X-Request-Id", "Idempotency-Key"];
    const values = ["single space", "01/01/0001", "YYYY-MM-DDTHH:mm:ssZ", "Retry-After", "1200 in a minute"];
    for (const words of [...said, ...values, `${TEST_ORIGIN}/api/`, "curl "]) expect(text).toContain(words);
    expect(textsOf(beginning, "code")).toContain("-1");
    const statuses = textsOf(beginning, 'td[data-l="Status"]');
    for (const status of [400, 401, 403, 404, 409, 413, 415, 422, 429, 500]) expect(statuses).toContain(String(status));
  });

  test("[API-05] the API reference states the refusals of each call and what its numbers and items mean", async () => {
    const { html } = (await docs.loader().json()) as { html: string };
    const $ = load(html);
    const headingOf = (name: string) => $("h3").filter((_, heading) => $(heading).text() === name);
    const sectionOf = (name: string) => headingOf(name).nextUntil("h3").text();
    expect(sectionOf("GET certificates/GetPaymentDetails")).toContain("item1: boolean; // Whether it is paid");
    expect(sectionOf("GET certificates/GetPaymentDetails")).toContain(
      "Refused with 400, 401, 403, 404, 422, 429, 500, 503.",
    );
    expect(sectionOf("GET UserRegistration/GetCountries")).toContain("Refused with 400, 422, 429, 500, 503.");
    expect(sectionOf("POST certificates/revoke")).toContain("3 Affiliation Changed");
    expect(sectionOf("POST Codes/UpdateEntity")).toContain("Headquarters 1, Storage 2");
    expect(sectionOf("POST UserRegistration/RegisterUser")).toContain("at most 59 characters");
  });

  test("[API-06] calls refuse a request without a token or without the right", async () => {
    const [user, admin] = [await createUser(), await createAdmin()];
    const customer = await apiClientOf(user.email, TEST_PASSWORD);
    const staff = await apiClientOf(admin.email, TEST_PASSWORD);
    const statusOf = async (client: ApiClient, { method, path }: { method: string; path: string }) => {
      const filled = path.replace(/\{\w+\}/g, "x");
      const answer = await client.send(filled, method === "POST" ? { method, ...jsonBody } : { method });
      return { path, status: answer.status, isWrapped: "responseContent" in ((await answer.json()) as object) };
    };
    const reader = await apiClientOf((await createColleague(await createUser(), "reader")).email, TEST_PASSWORD);
    for (const call of CALLS.filter(({ who }) => who !== "anyone")) {
      expect(await statusOf(new ApiClient(), call)).toEqual({ path: call.path, status: 401, isWrapped: true });
      const others = call.who === "manage-company" ? reader : isCompanyTask(call.who) ? staff : customer;
      if (call.who !== "user" && call.who !== "see-company")
        expect(await statusOf(others, call)).toEqual({ path: call.path, status: 403, isWrapped: true });
    }
  });

  test("[API-06] a wrong method is answered with the allowed one, an unknown call with 404 and no wrapper", async () => {
    const client = new ApiClient();
    for (const call of CALLS) {
      const method = call.method === "GET" ? "POST" : "GET";
      if (CALLS.some((other) => other.path === call.path && other.method === method)) continue;
      const answer = await client.send(call.path.replace(/\{\w+\}/g, "x"), { method });
      expect({ path: call.path, status: answer.status, allow: answer.headers.get("Allow") }).toEqual({
        path: call.path,
        status: 405,
        allow: call.method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS",
      });
    }
    for (const path of ["", "nowhere", "UserRegistration", "token/x/y", "constructor", "__proto__"]) {
      const answer = await client.send(path);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
        404,
        "application/problem+json; charset=utf-8",
      ]);
    }
  });

  test("[API-06] OPTIONS names the allowed methods, and no other origin is admitted", async () => {
    const client = new ApiClient();
    const headers = { Origin: "https://other.example", "Access-Control-Request-Method": "POST" };
    const asked = [
      ["token", "POST, OPTIONS"],
      ["UserRegistration/GetCountries", "GET, HEAD, OPTIONS"],
    ] as const;
    for (const [path, allow] of asked) {
      const answer = await client.send(path, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("Allow"), await answer.text()]).toEqual([204, allow, ""]);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect((await client.send("nowhere", { method: "OPTIONS" })).status).toBe(404);
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect(await unwrap(await client.send("token/revoke", { method }))).toMatchObject({
        status: 405,
        code: "request.method",
        text: "This call is made with POST.",
      });
  });

  test("[API-06] HEAD is answered as GET is, also when refused", async () => {
    const client = new ApiClient();
    const statusOfHead = async (path: string) => (await client.send(path, { method: "HEAD" })).status;
    expect(await statusOfHead("UserRegistration/GetCountries")).toBe(200);
    expect(await statusOfHead("certificates/getcertificates")).toBe(401);
    expect(await statusOfHead("token")).toBe(405);
  });

  test("[API-06] a wrong body gets a message about a body, not about a form", async () => {
    const send = (path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
      new ApiClient().send(path, { method: "POST", body, headers: { "Content-Type": type } });
    const json = (value: unknown) => send("UserRegistration/RegisterUser", JSON.stringify(value));
    const refused = [
      await json({ firstName: "<".repeat(201) }),
      await json({ firstName: `<${"x".repeat(10_000)}` }),
      await json({ firstName: "x".repeat(256 * 1024) }),
      await send("UserRegistration/RegisterUser", "{"),
      await send("UserRegistration/RegisterUser", Buffer.from('{"firstName":"M\xfcller"}', "latin1")),
      await send("UserRegistration/RegisterUser", '{"firstName":"\\ud800"}'),
    ];
    expect(await Promise.all(refused.map(async (answer) => (await unwrap(answer)).text))).toEqual([
      "The body has too much markup in it.",
      'The body has a text that is too long: with a "<" in it at most 10000 characters are accepted.',
      "The body is too large: 256 KB is the most that is accepted.",
      "The body is not valid JSON.",
      "The body is not valid UTF-8.",
      "The body has a text that is not valid Unicode.",
    ]);
    const fields = Array.from({ length: 201 }, (_, index) => `f${index}=1`).join("&");
    const form = await send("token", fields, "application/x-www-form-urlencoded");
    expect([form.status, await form.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: "The body has too many fields: at most 200 are accepted." },
    ]);
  });

  test.each([
    [{ "Content-Type": "application/json; charset=iso-8859-1" }, "The body must be in UTF-8."],
    [{ "Content-Type": "application/json; charset=UTF-16" }, "The body must be in UTF-8."],
    [{ "Content-Type": "application/vnd.example+json" }, "The body must be of the type application/json."],
    [
      { "Content-Type": "application/json", "Content-Encoding": "gzip" },
      "The body must be sent without a Content-Encoding.",
    ],
  ])("[API-06] a body with %j is refused", async (headers, text) => {
    const asked = { method: "POST", body: JSON.stringify({ emailAddress: "a@example-parts.com" }) };
    const path = "UserSecurity/RequestPasswordResetEmail";
    const answer = await unwrap(await new ApiClient().send(path, { ...asked, headers }));
    expect(answer).toMatchObject({ status: 415, text });
    const known = { "Content-Type": 'Application/JSON; charset="UTF-8"', "Content-Encoding": "identity" };
    expect((await new ApiClient().send(path, { ...asked, headers: known })).status).toBe(200);
  });

  test("[API-06] paths are found in any case", async () => {
    const client = new ApiClient();
    for (const path of ["userregistration/getcountries", "USERREGISTRATION/GETCOUNTRIES"])
      expect((await client.get<unknown[]>(path)).content.length).toBeGreaterThan(200);
  });
});

describe("unreadable requests", () => {
  const post = async (body: string, type = "application/json") => {
    const init = { method: "POST", body, headers: { "Content-Type": type } };
    const answer = await new ApiClient().send("UserSecurity/RequestPasswordResetEmail", init);
    return unwrap(answer);
  };
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

  test.each([
    ["", 400],
    ["{", 400],
    ["[]", 400],
    ["null", 400],
    ['"text"', 400],
    ["1", 400],
    [nested(21), 400],
    [nested(10_000), 400],
    ["[".repeat(100_000), 400],
    ['{"emailAddress":"a@example.com","emailAddress":"b@example.com"}', 400],
    ['{"emailAddress":"a@example.com",}', 400],
    ['{"emailAddress":"a@example.com" /* c */}', 400],
    [`{"emailAddress":"${"a".repeat(300_000)}"}`, 413],
    [`{"firstName":"${"<b>".repeat(500)}"}`, 400],
  ])("[API-06] %.60s is refused with %i and a reason", async (body, status) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, success: false });
    expect(answer.text).not.toBe("");
  });

  test.each([
    ['{"emailAddress":["a@example.com"]}', "emailAddress"],
    ['{"emailAddress":{"a":1}}', "emailAddress"],
    ['{"emailAddress":1e999}', "emailAddress"],
    ['{"emailAddress":" "}', "emailAddress"],
    ['{"emailAddress":"a@example.com","more":1}', "more"],
    ['{"emailAddress":"a@example.com","__proto__":{"x":1}}', "__proto__"],
  ])("[API-06] %s is refused at its field", async (body, field) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.errors)).toEqual([field]);
  });

  test("[API-06] another type of body, such as a form, is refused with 415", async () => {
    expect((await post("emailAddress=a@example.com", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await post("{}", "text/plain")).status).toBe(415);
    expect((await post('{"emailAddress":"a@example.com"}', "application/json; charset=utf-8")).status).toBe(200);
  });

  test("[API-06] a repeated, unknown or non-numeric parameter is refused by its name", async () => {
    const client = new ApiClient();
    expect((await client.send("UserRegistration/GetCountryById?id=1&id=2")).status).toBe(400);
    for (const query of ["id=x", "id=-1", "id=1e3", "id=99999999999", "id=", "x=1&id=826", ""]) {
      const answer = await client.send(`UserRegistration/GetCountryById?${query}`);
      expect({ query, status: answer.status }).toEqual({ query, status: 422 });
    }
    expect((await client.get("UserRegistration/GetCountryById", { id: 999 })).status).toBe(404);
    expect((await client.get("UserRegistration/GetCountryById", { id: 826 })).content).toEqual({
      id: 826,
      adminId: 826,
      iso: "GB",
      euMember: false,
      name: expect.any(String) as string,
      printableName: expect.any(String) as string,
    });
  });
});
