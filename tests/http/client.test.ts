import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buyCertificate } from "../../client/example";
import { addressOf, CallRefused, content, file, logIn, openClient, openPortal } from "../../client/portal";
import { CN, CONTACT, CUSTOMER, linkFor } from "../e2e/support/journey";
import { ADMIN, type RunningPortal, startPortal } from "../e2e/support/running-portal";
import { checkForm } from "../support/check-forms";
import { HttpVisitor } from "../support/http-visitor";
import { useOpenssl } from "../support/openssl";

const { makeCsr } = useOpenssl();
const folder = mkdtempSync(join(tmpdir(), "marque-client-"));
const account = { username: CUSTOMER.email, password: CUSTOMER.password };
let portal: RunningPortal;

beforeAll(async () => {
  portal = await startPortal({ RATE_LIMITS: "off" });
});
afterAll(async () => {
  await portal.dispose();
  rmSync(folder, { recursive: true });
});

/** Registers a customer and completes the registration, by calls. Only the link in the message is opened as a page. */
async function register(): Promise<void> {
  const { email, password, company } = CUSTOMER;
  const registered = await content(
    openPortal(portal.origin).POST("/api/UserRegistration/RegisterUser", {
      body: {
        firstName: "Anna",
        lastName: "Müller",
        company,
        position: "EDI manager",
        telephoneNumber: "+49 221 123456",
        email,
        confirmEmail: email,
        password,
        confirmPassword: password,
        securityQuestion: "What was the name of your first pet?",
        securityAnswer: "Bello",
      },
    }),
  );
  expect(registered).toEqual({ success: true, userMessage: "" });
  const customer = await logIn(portal.origin, account);
  const companyAddress = { street1: "Domkloster 4", city: "Köln", postcode: "50667", countryId: 276 };
  const details = { companyRegistrationNumber: "HRB 12345", companyAddress, vatNumber: "DE123456789" };
  await content(customer.POST("/api/UserRegistration/RegisterUserAdvancedDetails", { body: details }));
  await new HttpVisitor(portal.origin).post(pathOf(await linkFor(portal, email, "/verify-email/")), {});
}

const pathOf = (link: string) => new URL(link, portal.origin).pathname;

/** Authorises and approves the order on the pages, without scripts, as the authentication contact and staff do. */
async function approve(): Promise<void> {
  const link = await linkFor(portal, CONTACT.email, "/authorise-order/");
  await new HttpVisitor(portal.origin).post(pathOf(link), { intent: "authorise", confirmed: "yes" });
  const calls = await logIn(portal.origin, { username: ADMIN.email, password: ADMIN.password });
  const [order] = await content(calls.GET("/api/certificates/getcertificates"));
  const staff = new HttpVisitor(portal.origin);
  await staff.logIn(ADMIN);
  const queue = `/home/certificate-queue/${order?.id}`;
  await staff.post(queue, checkForm({ organisation: "Extract of the register of companies", csr: "Names agree" }));
  await staff.post(queue, { intent: "approve", confirmed: "yes" });
}

test("[API-03] [API-04] the example of docs/api.md logs in, decodes, buys, waits and downloads on a running portal", async () => {
  await register();
  const [csrFile, certificateFile] = [join(folder, "request.csr"), join(folder, "certificate.pem")];
  const subject = `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`;
  writeFileSync(csrFile, makeCsr({ subject, san: [`DNS:${CN}`] }).pem);
  const { name, position, email } = CONTACT;
  const options = { address: portal.origin, account, csrFile, certificateFile, everySeconds: 0.2 };
  const [, bought] = await Promise.all([approve(), buyCertificate({ ...options, contact: { name, position, email } })]);
  expect(bought).toBeUndefined();
  expect(new X509Certificate(readFileSync(certificateFile)).subject).toContain(`CN=${CN}`);
});

test("[API-04] a download address of the client works once and contains no token", async () => {
  const customer = await logIn(portal.origin, account);
  const [certificate] = await content(customer.GET("/api/certificates/getcertificates"));
  const path = "/api/Certificates/DownloadCaIssuingCertificate";
  const query = { certificateId: Number(certificate?.id), certificateType: "DER", fileExtension: "DER" } as const;
  const address = await addressOf(customer, portal.origin, path, query);
  const bytes = await file(customer.GET(path, { params: { query }, parseAs: "arrayBuffer" }));
  expect(new Uint8Array(await (await fetch(address)).arrayBuffer())).toEqual(bytes);
  expect((await fetch(address)).status).toBe(401);
});

test("[API-03] an API client works with both secrets while one is replaced, only in its networks, and no log has a secret", async () => {
  const owner = await logIn(portal.origin, account);
  const lastDay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const form = { name: "Store", scopes: ["certificates:read"], lastDay };
  const made = await content(
    owner.POST("/api/Companies/CreateApiClient", { body: { ...form, networks: ["127.0.0.0/8", "::1"] } }),
  );
  const { apiClientId, clientId, clientSecret: first } = made;
  const countWith = (secret: string) => {
    const program = openClient(portal.origin, { clientId, secret: () => secret });
    return async () => (await content(program.GET("/api/certificates/getcertificates"))).length;
  };
  const withFirst = countWith(first);
  expect(await withFirst()).toBe(1);
  const others = "until-ended" as const;
  const { clientSecret: second } = await content(
    owner.POST("/api/Companies/AddApiClientSecret", { body: { apiClientId, others } }),
  );
  const withSecond = countWith(second);
  expect([await withFirst(), await withSecond(), await countWith(first)()]).toEqual([1, 1, 1]);
  const [listed] = await content(owner.GET("/api/Companies/GetApiClients"));
  const secretId = listed?.secrets[0]?.id ?? 0;
  await content(owner.POST("/api/Companies/EndApiClientSecret", { body: { apiClientId, secretId } }));
  await expect(withFirst()).rejects.toMatchObject({ status: 401 });
  expect(await withSecond()).toBe(1);

  await content(
    owner.POST("/api/Companies/UpdateApiClient", { body: { ...form, apiClientId, networks: ["203.0.113.0/24"] } }),
  );
  const invented = { "X-Forwarded-For": "203.0.113.7", Forwarded: "for=203.0.113.7" };
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: second });
  const answer = await fetch(`${portal.origin}/api/token`, { method: "POST", body, headers: invented });
  expect(await answer.json()).toMatchObject({ error: "unauthorized_client" });
  await expect(withSecond()).rejects.toMatchObject({ status: 403, code: "client.network" });
  await fetch(`${portal.origin}/api/token?client_secret=${second}`, { method: "POST", body });
  for (const secret of [first, second]) expect(portal.output()).not.toContain(secret);
});

test("[API-06] the client throws the portal's message of a refusal", async () => {
  await expect(logIn(portal.origin, { ...account, password: "guess" })).rejects.toMatchObject({
    status: 400,
    code: "invalid_grant",
  });
  const customer = await logIn(portal.origin, account);
  const query = { id: 999_999 };
  const refused = [
    [customer.GET("/api/certificates/getcertificate", { params: { query } }), { status: 404 }],
    [customer.GET("/api/codes/getSalesOrders"), { status: 403, code: "account.right" }],
    [
      customer.GET("/api/certificates/getcertificate", { params: { query: { id: "x" as unknown as number } } }),
      { errors: { id: "Invalid value." } },
    ],
  ] as const;
  for (const [made, refusal] of refused) {
    const thrown = await content<unknown>(made).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(CallRefused);
    expect(thrown).toMatchObject(refusal);
  }
});

test("[API-04] the curl example of docs/api.md writes no refusal into the file", () => {
  const [, shown = ""] = /```sh\n(PORTAL=.*?)```/s.exec(readFileSync("docs/api.md", "utf8")) ?? [];
  const lines = shown.split("\n");
  const call = lines.find((line) => line.startsWith("call()")) ?? "";
  const downloads = lines.filter((line) => line.includes("certificate.pem"));
  expect([call === "", downloads.length]).toEqual([false, 2]);
  const cwd = mkdtempSync(join(folder, "curl-"));
  const address = `FILE="${portal.origin}/api/Certificates/DownloadMyCertificate?certificateId=1&certificateType=PEM&fileExtension=PEM"`;
  for (const download of downloads) {
    const script = ["TOKEN=wrong", "TICKET=wrong", call, address, download].join("\n");
    const { status } = spawnSync("bash", ["-c", script], { cwd });
    expect([status, existsSync(join(cwd, "certificate.pem"))]).toEqual([22, false]);
  }
});
