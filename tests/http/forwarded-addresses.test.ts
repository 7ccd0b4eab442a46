import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";

const PARTNER = "203.0.113.7";
const SECRET = "the authentication proxy's secret of the tests";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const LIMIT = 60;

interface Sent {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const send = (origin: string, { path, method = "GET", headers = {}, body = "" }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(origin + path, { agent: false, method, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end(body);
  });

/** The address that the reverse proxy sees. All clients of a test are on one machine, so the test says which address it is. */
let seen = "";

/** Starts a reverse proxy that adds the client's address to X-Forwarded-For, as nginx and HAProxy do. */
async function startReverseProxy(target: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const before = request.headers["x-forwarded-for"];
    const headers: IncomingHttpHeaders = {
      ...request.headers,
      "x-forwarded-for": before ? `${String(before)}, ${seen}` : seen,
    };
    const passed = httpRequest(target + request.url, { agent: false, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}` };
}

let portal: RunningPortal;
let proxy: Awaited<ReturnType<typeof startReverseProxy>>;
const withProxy = (trust: string) => {
  beforeAll(async () => {
    const partner = { AUTH_PROXY_SECRET: SECRET, AUTH_PROXY_ADDRESSES: PARTNER };
    portal = await startPortal({ TRUST_PROXY: trust, HOST: "127.0.0.1", ...partner });
    proxy = await startReverseProxy(portal.origin.replace("localhost", "127.0.0.1"));
  });
  afterAll(async () => {
    await new Promise((resolve) => proxy.server.close(resolve));
    await portal.dispose();
  });
};
const direct = () => portal.origin.replace("localhost", "127.0.0.1");

/** Makes the call that only PARTNER may make. It is answered with 401, or with 400 because the name is empty. */
const askAsPartner = (origin: string, forwarded?: string) =>
  send(origin, {
    path: "/api/token/proxy",
    method: "POST",
    headers: { ...FORM, Authorization: `Bearer ${SECRET}`, ...(forwarded && { "X-Forwarded-For": forwarded }) },
    body: "username=&password=x",
  });

/**
 * Makes one call more than a network may make with unknown tokens, each with another invented address. Returns the last two answers.
 *
 * @param addressOf The address that the proxy sees at each call. By default it stays what it is.
 */
async function guessTokens(origin: string, addressOf = (_index: number) => seen): Promise<number[]> {
  const answers: number[] = [];
  for (let index = 0; index <= LIMIT; index += 1) {
    seen = addressOf(index);
    const headers = { Authorization: "Bearer unknown", "X-Forwarded-For": `198.51.100.${index}` };
    answers.push(await send(origin, { path: "/api/Certificates/GetCertificates", headers }));
  }
  return answers.slice(-2);
}

/** Asks for a page with a forwarded host that is not valid. It is answered with 400 when the header counts. */
const askWithHost = (origin: string) =>
  send(origin, { path: "/login", headers: { "X-Forwarded-Host": "evil:99999999" } });

describe.each(["1", "127.0.0.1, 192.0.2.0/24"])("behind a reverse proxy, with TRUST_PROXY=%s", (trust) => {
  withProxy(trust);

  test("the address that the proxy sees counts", async () => {
    seen = PARTNER;
    expect(await askAsPartner(proxy.origin)).toBe(400);
    seen = "198.51.100.1";
    expect(await askAsPartner(proxy.origin)).toBe(401);
  });

  test("an address that the client invents does not count", async () => {
    seen = "198.51.100.1";
    expect(await askAsPartner(proxy.origin, PARTNER)).toBe(401);
    expect(await askAsPartner(proxy.origin, `${PARTNER}, ${PARTNER}`)).toBe(401);
    seen = PARTNER;
    expect(await askAsPartner(proxy.origin, "198.51.100.1")).toBe(400);
  });

  test("a new invented address for each call does not escape a limit", async () => {
    seen = "198.51.100.200";
    expect(await guessTokens(proxy.origin)).toEqual([401, 429]);
  });

  test("the address of the proxy counts when it forwards something else than an address", async () => {
    const withPort = (index: number) => `198.51.100.201:${40_000 + index}`;
    expect(await guessTokens(proxy.origin, withPort)).toEqual([401, 429]);
  });

  test("the host that the proxy forwards counts", async () => {
    expect(await askWithHost(proxy.origin)).toBe(400);
  });
});

describe.each(["0", "192.0.2.7"])("without a trusted proxy, with TRUST_PROXY='%s'", (trust) => {
  withProxy(trust);

  test("no forwarded address or host counts", async () => {
    expect(await askAsPartner(direct(), PARTNER)).toBe(401);
    expect(await askWithHost(direct())).toBe(200);
    expect(await guessTokens(direct())).toEqual([401, 429]);
  });
});
