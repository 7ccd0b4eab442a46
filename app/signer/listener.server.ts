import { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { log, logError } from "~/lib/log.server";
import { PROBLEM_STATUS, type ProblemCode, type SignerProblem } from "./protocol";
import { Refusal } from "./refusal.server";

/** The request is none of those that the protocol describes. */
export const noSuchRequest = () => new Refusal("not-found", "There is no such request.");

function send(response: ServerResponse, status: number, answer: object, headers: Record<string, string> = {}): void {
  const [type, body] =
    answer instanceof Uint8Array
      ? ["application/octet-stream", answer]
      : ["application/json", Buffer.from(JSON.stringify(answer))];
  response.writeHead(status, { "content-type": type, "content-length": body.length, ...headers });
  response.end(body);
}

function sendProblem(response: ServerResponse, code: ProblemCode, message: string): void {
  const problem: SignerProblem = { code, message };
  send(response, PROBLEM_STATUS[code], problem, { connection: "close" });
}

/** Returns the path of a request with its query. Throws a Refusal `not-found` for one that is no address, such as `//[`. */
function addressOf({ url = "" }: IncomingMessage): URL {
  if (URL.canParse(url, "http://signer")) return new URL(url, "http://signer");
  throw noSuchRequest();
}

/**
 * Returns a listener that sends what `answer` returns: bytes as they are, everything else as JSON. A Refusal becomes a `SignerProblem`.
 *
 * @param answer Gets the request and its path with the query. It may throw a Refusal.
 */
export const listenerOf =
  (answer: (request: IncomingMessage, url: URL) => Promise<object>): RequestListener =>
  (request, response) => {
    const answering = async () => answer(request, addressOf(request));
    answering().then(
      (value) => send(response, 200, value),
      (error: unknown) => {
        if (error instanceof Refusal) {
          log().warn({ code: error.code, path: request.url }, error.message);
          return sendProblem(response, error.code, error.message);
        }
        logError(error, { code: "signer" });
        sendProblem(response, "unavailable", "The signer failed; its log says why.");
      },
    );
  };
