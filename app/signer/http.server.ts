import { type IncomingMessage, type ServerResponse } from "node:http";
import { log, logError } from "~/lib/log.server";
import { GRANT_HEADER, LARGEST_REQUEST, PROBLEM_STATUS, type ProblemCode, type SignerProblem } from "./protocol";
import { Refusal } from "./refusal.server";
import { type Signing } from "./signing.server";

/** Requests that are larger than this are CRLs. They are read one after the other, so that they do not fill the memory. */
const SMALL_REQUEST = 64 * 1024;

const NO_GRANTS = `This signer knows no grants. Send the request without the header '${GRANT_HEADER}'.`;

async function readBody(request: IncomingMessage, length: number): Promise<Uint8Array> {
  const body = Buffer.allocUnsafe(length);
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    if (size + piece.length > length) throw new Refusal("malformed", "The request is longer than it says.");
    body.set(piece, size);
    size += piece.length;
  }
  if (size !== length) throw new Refusal("malformed", "The request is shorter than it says.");
  return body;
}

/** Returns the length that the request states. */
function lengthOf({ headers }: IncomingMessage): number {
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0) throw new Refusal("malformed", "The request states no length.");
  if (length > LARGEST_REQUEST) throw new Refusal("too-large", `The request is larger than ${LARGEST_REQUEST} bytes.`);
  return length;
}

function sendProblem(response: ServerResponse, code: ProblemCode, message: string): void {
  const problem: SignerProblem = { code, message };
  response.writeHead(PROBLEM_STATUS[code], { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(problem));
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** Returns the listener for the requests of the portal (`protocol.ts`). */
export function signerHandler(signing: Signing): (request: IncomingMessage, response: ServerResponse) => void {
  let lastLarge: Promise<unknown> = Promise.resolve();

  async function sign(name: string, request: IncomingMessage): Promise<Uint8Array> {
    if (request.headers[GRANT_HEADER] !== undefined) throw new Refusal("refused", NO_GRANTS);
    const length = lengthOf(request);
    const work = async () => signing.sign(name, await readBody(request, length));
    if (length <= SMALL_REQUEST) return work();
    const turn = lastLarge.then(work);
    lastLarge = turn.catch(() => undefined);
    return turn;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://signer");
    const name = /^\/sign\/([\w.-]+)$/.exec(pathname)?.[1];
    if (request.method === "POST" && name !== undefined) {
      const signature = await sign(name, request);
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": signature.length });
      response.end(signature);
    } else if (request.method === "GET" && pathname === "/state") sendJson(response, await signing.state());
    else if (request.method === "GET" && pathname === "/journal") {
      const after = Number(searchParams.get("after") ?? "0");
      if (!Number.isSafeInteger(after) || after < 0) throw new Refusal("malformed", "'after' must be a line number.");
      sendJson(response, await (await signing.open()).journal.page(after));
    } else throw new Refusal("not-found", "There is no such request.");
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      if (error instanceof Refusal) {
        log().warn({ code: error.code, path: request.url }, error.message);
        return sendProblem(response, error.code, error.message);
      }
      logError(error, { code: "signer" });
      sendProblem(response, "unavailable", "The signer failed; its log says why.");
    });
  };
}
