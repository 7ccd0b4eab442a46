import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll } from "vitest";

/** The numbers of VIES's test service, which are the same for every country, with its answers. Any other number is SERVICE_UNAVAILABLE. */
export const VIES_NUMBERS: Readonly<Record<string, string | boolean>> = {
  100: true,
  200: false,
  201: "INVALID_INPUT",
  202: "INVALID_REQUESTER_INFO",
  300: "SERVICE_UNAVAILABLE",
  301: "MS_UNAVAILABLE",
  302: "TIMEOUT",
  400: "VAT_BLOCKED",
  401: "IP_BLOCKED",
  500: "GLOBAL_MAX_CONCURRENT_REQ",
  501: "GLOBAL_MAX_CONCURRENT_REQ_TIME",
  600: "MS_MAX_CONCURRENT_REQ",
  601: "MS_MAX_CONCURRENT_REQ_TIME",
};

/** Two of HMRC's sandbox numbers (test-data/vrn.csv), with 9 and 12 digits. */
export const HMRC_NUMBERS = ["553557881", "146295999727"] as const;

const TOKEN = "a token of the tests";

/** The application that is registered in HMRC's Developer Hub. */
export const HMRC_APPLICATION = {
  HMRC_CLIENT_ID: "the portal's id",
  HMRC_CLIENT_SECRET: "the portal's + secret & more",
};

/** How the services behave: normally, or in one of the ways in which they fail as a whole. */
type Mode =
  | "answers"
  | "no-token"
  | "silent"
  | "stalls"
  | "broken-json"
  | "maintenance"
  | "too-many-requests"
  | "redirects"
  | "other-fields";

interface Asked {
  method: string;
  path: string;
  accept: string;
  body: unknown;
}

type Answer = [status: number, body: unknown];

function viesAnswer({ countryCode, vatNumber }: { countryCode: string; vatNumber: string }): Answer {
  const known = VIES_NUMBERS[vatNumber] ?? "SERVICE_UNAVAILABLE";
  if (typeof known === "string") return [200, { actionSucceed: false, errorWrappers: [{ error: known }] }];
  const name = known ? "John Doe" : "---";
  const address = known ? "123 Main St, Anytown, UK" : "---";
  return [
    200,
    {
      countryCode,
      vatNumber,
      requestDate: new Date().toISOString(),
      valid: known,
      requestIdentifier: "",
      name,
      address,
    },
  ];
}

function hmrcAnswer(number: string, accept: string, isAuthorised: boolean): Answer {
  if (accept !== "application/vnd.hmrc.2.0+json")
    return [406, { code: "ACCEPT_HEADER_INVALID", message: "The accept header is missing or invalid" }];
  if (!isAuthorised)
    return [401, { code: "INVALID_CREDENTIALS", message: "Invalid Authentication information provided" }];
  if (!/^(\d{9}|\d{12})$/.test(number))
    return [400, { code: "INVALID_REQUEST", message: "Invalid targetVrn - Vrn parameters should be 9 or 12 digits" }];
  if (!HMRC_NUMBERS.some((known) => known === number))
    return [404, { code: "NOT_FOUND", message: "targetVrn does not match a registered company" }];
  const address = { line1: "131B Barton Hamlet", postcode: "SW97 5CK", countryCode: "GB" };
  const target = { name: "Credite Sberger Donal Inc.", vatNumber: number, address };
  return [200, { target, processingDate: new Date().toISOString() }];
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (isForm) return Object.fromEntries(new URLSearchParams(text));
  return text === "" ? null : JSON.parse(text);
}

/** Answers like VIES's REST service and HMRC's 'Check a UK VAT number' API with its token endpoint, each under its own paths. */
export class VatServer {
  readonly asked: Asked[] = [];
  mode: Mode = "answers";
  /** The access tokens that HMRC accepts. Tokens that it issues are added. */
  readonly tokens = new Set([TOKEN]);
  /** The lifetime of HMRC's tokens in seconds, as it states it. */
  tokenSeconds = 14_400;
  /** Runs before each answer, so that a test can check what the portal does in the meantime. */
  meanwhile: () => Promise<void> = () => Promise.resolve();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return { VAT_SERVICE_URL: `${origin}/taxation_customs/vies/rest-api`, HMRC_URL: origin, HMRC_TOKEN: TOKEN };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    const body = await bodyOf(request);
    this.asked.push({ method, path, accept: headers.accept ?? "", body });
    await this.meanwhile();
    if (this.mode === "silent") return;
    const send = (status: number, text: string, type = "application/json") =>
      response.writeHead(status, { "Content-Type": type }).end(text);
    if (this.mode === "stalls") response.writeHead(200, { "Content-Type": "application/json" }).write('{"valid":');
    else if (this.mode === "broken-json") send(200, '{"valid":tru');
    else if (this.mode === "no-token" && path === "/oauth/token") send(200, '{"token_type":"bearer"}');
    else if (this.mode === "maintenance") send(503, "<html><h1>Service under maintenance</h1></html>", "text/html");
    else if (this.mode === "too-many-requests") send(429, '{"code":"MESSAGE_THROTTLED_OUT"}');
    else if (this.mode === "redirects") {
      this.mode = "answers";
      response.writeHead(307, { Location: path }).end();
    } else if (this.mode === "other-fields") send(200, '{"valid":"yes","target":{"vatNumber":"999999999"}}');
    else {
      const [status, answer] = this.answer(method, path, headers, body);
      send(status, JSON.stringify(answer));
    }
  }

  private hmrcToken(form: unknown): Answer {
    const { grant_type: grant, client_id: id, client_secret: secret } = (form ?? {}) as Record<string, string>;
    if (id !== HMRC_APPLICATION.HMRC_CLIENT_ID || secret !== HMRC_APPLICATION.HMRC_CLIENT_SECRET)
      return [401, { error: "invalid_client", error_description: "invalid client id or client secret" }];
    if (grant !== "client_credentials")
      return [400, { error: "unsupported_grant_type", error_description: "unsupported grant_type" }];
    const token = `token ${this.tokens.size}`;
    this.tokens.add(token);
    return [200, { access_token: token, token_type: "bearer", expires_in: this.tokenSeconds, scope: "" }];
  }

  private answer(method: string, path: string, headers: IncomingMessage["headers"], body: unknown): Answer {
    const lookup = /^\/organisations\/vat\/check-vat-number\/lookup\/([^/]+)$/.exec(path)?.[1];
    if (method === "POST" && path === "/taxation_customs/vies/rest-api/check-vat-number")
      return viesAnswer(body as { countryCode: string; vatNumber: string });
    if (method === "GET" && lookup)
      return hmrcAnswer(lookup, headers.accept ?? "", this.tokens.has(headers.authorization?.slice(7) ?? ""));
    if (method === "POST" && path === "/oauth/token") return this.hmrcToken(body);
    return [
      404,
      { code: "MATCHING_RESOURCE_NOT_FOUND", message: "A resource with the name in the request can not be found" },
    ];
  }
}

/**
 * Provides the services for a test file. Call it before `usePortal`, which then reads their addresses. They work normally at the start of
 * each test.
 */
export function useVatServer(): VatServer {
  const server = new VatServer();
  beforeAll(async () => void Object.assign(process.env, await server.start()));
  afterEach(() => {
    server.mode = "answers";
    server.meanwhile = () => Promise.resolve();
    server.tokenSeconds = 14_400;
    server.asked.length = 0;
  });
  afterAll(() => server.stop());
  return server;
}
