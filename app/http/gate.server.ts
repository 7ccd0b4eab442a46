import { type Request, type RequestHandler } from "express";
import { type Env } from "~/lib/env.server";
import { BODY_LIMIT } from "./limits";

const METHODS = ["GET", "HEAD", "POST"];
/** What the description of the JSON calls takes: it is only to be read. */
const READING = ["GET", "HEAD"];
const isDescription = ({ path }: Request) => /^\/api\/(docs|openapi\.json)\/?$/i.test(path);
/** Answered by the JSON calls, which say what each takes. */
const isCall = (request: Request) => /^\/api\//i.test(request.path) && !isDescription(request);
/** All that Remix takes. */
const CALL_METHODS = [...METHODS, "OPTIONS", "PUT", "PATCH", "DELETE"];

/** Host as RFC 9110 §7.2 allows it: a name or address, with a port that exists. */
const isHost = (host: string) =>
  /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);

/** Turns away what no browser sends, before anything works on it: each with a plain line of text, never a 500. */
export const gate = (env: Env): RequestHandler => {
  const publicOrigin = new URL(env.publicUrl).origin;
  return (request, response, next) => {
    // The body is read to its end first: an answer in the middle of it breaks the connection, and nobody sees it.
    const refuse = (status: number, text: string) => {
      request.once("end", () => void response.status(status).type("text").send(`${text}\n`));
      request.resume();
    };
    if (env.trustProxy === undefined) delete request.headers["x-forwarded-host"];
    const forwarded = request.get("x-forwarded-host")?.split(",")[0]?.trim();
    const host = request.get("host") ?? "";
    // Every method that no call has is refused alike: one that Remix cannot have goes on as one that it can.
    if (isCall(request) && !CALL_METHODS.includes(request.method)) request.method = "PUT";
    const allowed = isDescription(request) ? READING : METHODS;
    if (!allowed.includes(request.method) && !isCall(request)) {
      response.setHeader("Allow", allowed.join(", "));
      return refuse(405, "This method is not supported.");
    }
    if (!request.originalUrl.startsWith("/") || !isHost(host) || (forwarded && !isHost(forwarded)))
      return refuse(400, "The request's address is not valid.");
    // Remix answers an Origin of another host than it sees with a bare 500. The portal's check (origin.server.ts) answers with a page: it is
    // told what the browser would tell, whatever the request says itself.
    const origin = request.get("origin");
    if (origin !== undefined && hostOf(origin) !== (forwarded || host)) {
      delete request.headers.origin;
      if (origin !== publicOrigin) request.headers["sec-fetch-site"] = "cross-site";
    }
    if (Number(request.get("content-length") ?? 0) <= BODY_LIMIT) return next();
    // What is thrown away here is answered with a page by refuseHugeBody.
    request.once("end", next).resume();
  };
};
