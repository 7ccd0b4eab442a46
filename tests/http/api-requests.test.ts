import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";

let portal: RunningPortal;
let token = "";

const PERSON = {
  ...{ firstName: "Anna", lastName: "Brown", company: "Example Parts Ltd", position: "EDI manager" },
  ...{ telephoneNumber: "+44 20 7946 0000", email: "anna@example-parts.com", confirmEmail: "anna@example-parts.com" },
  ...{ password: "orange-Gravel-71", confirmPassword: "orange-Gravel-71", securityAnswer: "Bello" },
};
const DETAILS = {
  ...{ companyRegistrationNumber: "01234567", vatNumber: "GB123456789" },
  companyAddress: { street1: "1 Mill Lane", city: "Coventry", postcode: "CV1 1AA", countryId: 826 },
};

/** Calls that have to succeed. */
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

/** A request that `fetch` would not make. */
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
  "[API-06] %s of a call is answered in the wrapper with what the call takes",
  async (method) => {
    const { status, allow, type, text } = await send({ method, path: CALL });
    expect([status, allow, type]).toEqual([405, "GET, HEAD, OPTIONS", JSON_TYPE]);
    expect(JSON.parse(text)).toMatchObject({ success: false, errorCode: "request.method" });
    const unknown = await send({ method, path: "/api/nowhere" });
    expect([unknown.status, unknown.type]).toEqual([404, "application/problem+json; charset=utf-8"]);
  },
);

test("[API-06] OPTIONS says what a call takes and lets no other origin in", async () => {
  const headers = { Origin: "https://other.example", "Access-Control-Request-Method": "GET" };
  const answer = await fetch(portal.origin + CALL, { method: "OPTIONS", headers });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("[API-06] what is not a call is answered with a line of text by pages' and the description's addresses", async () => {
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

test("[API-06] CONNECT opens nothing, and the portal lives", async () => {
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
  "[API-03] [API-06] the Idempotency-Key %j is told to be none, whichever way it comes",
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

test("[API-06] a body beyond every limit is answered with 413 in the wrapper, whether it tells its length or not", async () => {
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
