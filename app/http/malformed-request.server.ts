import { type IncomingMessage, type RequestListener, STATUS_CODES } from "node:http";
import { type Duplex } from "node:stream";

const isCall = (address: string): boolean => /^\/api\//i.test(address);

/** Returns an answer for requests that never reach the application: the API's JSON wrapper for calls, a line of text for others. */
function contentOf(address: string, text: string): { type: string; body: string } {
  if (!isCall(address)) return { type: "text/plain; charset=utf-8", body: `${text}\n` };
  const wrapper = { success: false, responseContent: null, responseText: text, errorCode: "request.malformed" };
  return { type: "application/json; charset=utf-8", body: JSON.stringify(wrapper) };
}

const hostsOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;

/** Returns whether the path of a call can be decoded and has no control characters. */
function isReadable(address: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(address.split("?", 1)[0] ?? ""));
  } catch {
    return false;
  }
}

/** Returns why a request is malformed (RFC 9112 §3.2), or null. Pages have their own answer to a path that cannot be read. */
function whyMalformed(request: IncomingMessage): string | null {
  const { url = "" } = request;
  if (hostsOf(request) > 1) return "The request has several Host headers: it must have one.";
  if (isCall(url) && !isReadable(url)) return "The request's address has characters that no address of a call has.";
  return null;
}

/** Answers malformed requests with 400 and passes on all others. */
export const refusingMalformed =
  (next: RequestListener): RequestListener =>
  (request, response) => {
    const text = whyMalformed(request);
    if (text === null) return next(request, response);
    const { type, body } = contentOf(request.url ?? "", text);
    const headers = { "Content-Type": type, "Content-Length": Buffer.byteLength(body), Connection: "close" };
    response.writeHead(400, { ...headers, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" }).end(body);
  };

const REFUSED: Readonly<Record<string, [status: number, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large: 16 KB together at most."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Answers what Node.js cannot parse as an HTTP request, and closes the connection. It handles the event `clientError`. */
export function answerUnreadable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] = REFUSED[error.code ?? ""] ?? [400, "The request is not valid HTTP."];
  const address = /^[A-Z]+ (\S*)/.exec(error.rawPacket?.subarray(0, 200).toString("latin1") ?? "")?.[1] ?? "";
  const { type, body } = contentOf(address, text);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
