import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";

let portal: RunningPortal;
let token = "";

const PERSON = {
  firstName: "Anna",
  lastName: "Brown",
  company: "Example Parts Ltd",
  position: "EDI manager",
  telephoneNumber: "+44 20 7946 0000",
  email: "anna@example-parts.com",
  confirmEmail: "anna@example-parts.com",
  password: "orange-Gravel-71",
  confirmPassword: "orange-Gravel-71",
  securityAnswer: "Bello",
};
const DETAILS = {
  companyRegistrationNumber: "01234567",
  vatNumber: "GB123456789",
  companyAddress: { street1: "1 Mill Lane", city: "Coventry", postcode: "CV1 1AA", countryId: 826 },
};

/** Makes a call that must succeed. */
async function call(path: string, body: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const answer = await fetch(`${portal.origin}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const { responseContent } = (await answer.json()) as { responseContent: { success: boolean } | null };
  if (!responseContent?.success) throw new Error(`${path}: ${answer.status} ${JSON.stringify(responseContent)}`);
}

beforeAll(async () => {
  portal = await startPortal();
  const questions = await fetch(`${portal.origin}/api/UserSecurity/GetSecurityQuestions`);
  const [securityQuestion] = ((await questions.json()) as { responseContent: string[] }).responseContent;
  await call("UserRegistration/RegisterUser", { ...PERSON, securityQuestion });
  const body = new URLSearchParams({ grant_type: "password", username: PERSON.email, password: PERSON.password });
  const answer = await fetch(`${portal.origin}/api/token`, { method: "POST", body });
  token = ((await answer.json()) as { access_token: string }).access_token;
  await call("UserRegistration/RegisterUserAdvancedDetails", DETAILS);
});
afterAll(() => portal.dispose());

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

interface Answer {
  status: number;
  allow: string;
  type: string;
  text: string;
}

/** Sends a request that `fetch` cannot send. */
const send = ({ method, path, headers = {}, body }: Sent) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      const { allow = "", "content-type": type = "" } = answer.headers;
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, allow, type, text }));
    });
    sent.on("error", reject).end(body);
  });

const CALL = "/api/UserRegistration/GetCountries";
const JSON_TYPE = "application/json; charset=utf-8";

test.each(["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "SEARCH"])(
  "[API-06] %s of a call is answered in the wrapper with the allowed methods",
  async (method) => {
    const { status, allow, type, text } = await send({ method, path: CALL });
    expect([status, allow, type]).toEqual([405, "GET, HEAD, OPTIONS", JSON_TYPE]);
    expect(JSON.parse(text)).toMatchObject({ success: false, errorCode: "request.method" });
    const unknown = await send({ method, path: "/api/nowhere" });
    expect([unknown.status, unknown.type]).toEqual([404, "application/problem+json; charset=utf-8"]);
  },
);

test("[API-06] OPTIONS names the allowed methods and admits no other origin", async () => {
  const headers = { Origin: "https://other.example", "Access-Control-Request-Method": "GET" };
  const answer = await fetch(portal.origin + CALL, { method: "OPTIONS", headers });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("[API-06] an address that is no call is answered with a line of text", async () => {
  const reading = ["OPTIONS", "PUT", "TRACE", "POST"].map((method) => ["GET, HEAD", method] as const);
  const submitting = ["OPTIONS", "PUT", "TRACE"].map((method) => ["GET, HEAD, POST", method] as const);
  for (const [path, cases] of [
    ["/api/docs", reading],
    ["/api/openapi.json", reading],
    ["/login", submitting],
  ] as const)
    for (const [taken, method] of cases) {
      const { status, allow, type } = await send({ method, path });
      expect([path, method, status, allow, type]).toEqual([path, method, 405, taken, "text/plain; charset=utf-8"]);
    }
});

test("[API-06] CONNECT opens nothing, and the portal keeps running", async () => {
  const { hostname, port } = new URL(portal.origin);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write("CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n"),
    );
    let text = "";
    socket.on("data", (part) => (text += part.toString())).on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
  expect(answer).not.toContain("200");
  expect((await send({ method: "GET", path: CALL })).status).toBe(200);
});

test.each(["", " ", "\t"])(
  "[API-03] [API-06] the Idempotency-Key %j is refused by HTTP and by the portal",
  async (key) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({ order: { codeType: "OSCAR Code Full" } });
    const { status, text } = await send({ method: "POST", path: "/api/codes/purchaseCode", headers, body });
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { errorCode: "idempotency.key", responseText: "Idempotency-Key must be 1 to 200 visible ASCII characters." },
    ]);
  },
);

test("[API-06] a body beyond every limit is answered with 413 in the wrapper, with and without Content-Length", async () => {
  const body = Buffer.alloc(9 * 1024 * 1024, " ");
  const path = "/api/UserRegistration/RegisterUser";
  const lengths: Record<string, string>[] = [
    { "Content-Length": String(body.length) },
    { "Transfer-Encoding": "chunked" },
  ];
  for (const length of lengths) {
    const headers = { "Content-Type": "application/json", ...length };
    const { status, type, text } = await send({ method: "POST", path, headers, body });
    expect([status, type]).toEqual([413, JSON_TYPE]);
    expect(JSON.parse(text)).toMatchObject({
      responseText: "The body is too large: 256 KB is the most that is accepted.",
      errorCode: "body.too-large",
    });
  }
});

/** Sends these bytes unchanged, for requests that no client sends. Returns the whole answer. */
const sendBytes = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("end", () => resolve(text)).on("error", reject);
  });

test.each([
  ["431", "large headers", `GET ${CALL} HTTP/1.1\r\nHost: a\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`],
  ["400", "two Host headers", `GET ${CALL} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`],
  ["400", "a line break in the path", `GET ${CALL}/%0D%0Ax HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["400", "a path that cannot be decoded", `GET /api/%C3%28 HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["400", "no request of HTTP", `GET ${CALL} HTTP/1.1\r\nNo header\r\n\r\n`],
])("[API-06] answers %s for %s in the wrapper", async (status, _, bytes) => {
  const [head = "", body = ""] = (await sendBytes(bytes)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^content-type: application\/json/im);
  expect(head).toMatch(/^connection: close/im);
  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(JSON.parse(body)).toMatchObject({ success: false, errorCode: "request.malformed" });
});

test("[PUB-06] two Host headers or large headers of a page's request are refused with a line of text", async () => {
  const both = await sendBytes("GET /login HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n");
  expect(both).toMatch(/^HTTP\/1\.1 400 [^]*The request has several Host headers/);
  const large = await sendBytes(`GET /login HTTP/1.1\r\nHost: a\r\nCookie: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1\.1 431 [^]*too large/);
});

test("[API-06] a body that breaks off is not logged as an error", async () => {
  const before = portal.output().length;
  const { hostname, port } = new URL(portal.origin);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /api/certificates/DecodeCsrWithValidation HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}`;
      socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"csr":`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    });
    socket.on("close", () => resolve());
  });
  expect((await fetch(portal.origin + CALL)).status).toBe(200);
  expect(portal.output().slice(before)).not.toContain('"level":50');
});
