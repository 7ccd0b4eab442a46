import { type Request, type RequestHandler } from "express";
import { type Env } from "~/lib/env.server";
import { BODY_LIMIT } from "./limits";

const METHODS = ["GET", "HEAD", "POST"];
/** The methods of the API description, which is read-only. */
const READING = ["GET", "HEAD"];
const isDescription = ({ path }: Request) => /^\/api\/(docs|openapi\.json)\/?$/i.test(path);
/** Whether the API answers the request. Each call states which methods it accepts. */
const isCall = (request: Request) => /^\/api\//i.test(request.path) && !isDescription(request);
/** All methods that Remix accepts. */
const CALL_METHODS = [...METHODS, "OPTIONS", "PUT", "PATCH", "DELETE"];

/** Whether Host is valid by RFC 9110 §7.2: a name or address, with a valid port number. */
const isHost = (host: string) =>
  /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);

/** What clients fetch without TLS: CRLs and CA certificates, and the state that a supervisor asks for. OCSP is answered before. */
const isForPlainHttp = ({ path }: Request) => /^\/(repository\/|(healthz|readyz)\/?$)/i.test(path);

/** Whether a trusted proxy says that it received the request without TLS. Forwarded headers of others are removed before. */
const cameWithoutTls = (request: Request) => request.get("x-forwarded-proto")?.split(",")[0]?.trim() === "http";

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);

/** Refuses requests that no browser sends, before any other handler sees them. Each gets a line of plain text, never a 500. */
export const gate = (env: Env): RequestHandler => {
  const publicOrigin = new URL(env.publicUrl).origin;
  return (request, response, next) => {
    // The body is read to its end first. An answer before that breaks the connection, and the client does not see it.
    const refuse = (status: number, text: string) => {
      request.once("end", () => void response.status(status).type("text").send(`${text}\n`));
      request.resume();
    };
    const forwarded = request.get("x-forwarded-host")?.split(",")[0]?.trim();
    const host = request.get("host") ?? "";
    // Every method that no call has gets the same refusal. A method that Remix does not accept is passed on as PUT.
    if (isCall(request) && !CALL_METHODS.includes(request.method)) request.method = "PUT";
    const allowed = isDescription(request) ? READING : METHODS;
    if (!allowed.includes(request.method) && !isCall(request)) {
      response.setHeader("Allow", allowed.join(", "));
      return refuse(405, "This method is not supported.");
    }
    if (!request.originalUrl.startsWith("/") || !isHost(host) || (forwarded && !isHost(forwarded)))
      return refuse(400, "The request's address is not valid.");
    if (env.isHttps && cameWithoutTls(request) && !isForPlainHttp(request)) {
      if (isCall(request) || !READING.includes(request.method)) return refuse(403, "Use https for this address.");
      return void response.redirect(308, publicOrigin + request.originalUrl);
    }
    // Remix answers a foreign Origin with a bare 500. The portal's own check (origin.server.ts) answers with a page. The header is
    // therefore removed, and Sec-Fetch-Site is set to what a browser would send, whatever the request says.
    const origin = request.get("origin");
    if (origin !== undefined && hostOf(origin) !== (forwarded || host)) {
      delete request.headers.origin;
      if (origin !== publicOrigin) request.headers["sec-fetch-site"] = "cross-site";
    }
    if (Number(request.get("content-length") ?? 0) <= BODY_LIMIT) return next();
    // refuseHugeBody answers the discarded body with a page.
    request.once("end", next).resume();
  };
};
