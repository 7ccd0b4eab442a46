import { type RequestHandler } from "express";
import { type Env } from "~/lib/env.server";
import { BODY_LIMIT } from "./limits";

const METHODS = ["GET", "HEAD", "POST"];

/** Host as RFC 9110 §7.2 allows it: a name or address, with a port that exists. */
const isHost = (host: string) =>
  /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);

/** Turns away what no browser sends, before anything works on it: each with a plain line of text, never a 500. */
export const gate = (env: Env): RequestHandler => {
  const publicHost = new URL(env.publicUrl).host;
  return (request, response, next) => {
    // The body is read to its end first: an answer in the middle of it breaks the connection, and nobody sees it.
    const refuse = (status: number, text: string) => {
      request.once("end", () => void response.status(status).type("text").send(`${text}\n`));
      request.resume();
    };
    if (env.trustProxy === undefined) delete request.headers["x-forwarded-host"];
    const forwarded = request.get("x-forwarded-host")?.split(",")[0]?.trim();
    const host = request.get("host") ?? "";
    if (!METHODS.includes(request.method)) {
      response.setHeader("Allow", METHODS.join(", "));
      return refuse(405, "This method is not supported.");
    }
    if (!request.originalUrl.startsWith("/") || !isHost(host) || (forwarded && !isHost(forwarded)))
      return refuse(400, "The request's address is not valid.");
    const origin = request.get("origin");
    if (
      request.method === "POST" &&
      origin !== undefined &&
      ![host, forwarded, publicHost].includes(hostOf(origin) ?? "")
    )
      return refuse(403, "This form was sent from another site.");
    if (Number(request.get("content-length") ?? 0) > BODY_LIMIT)
      return refuse(413, "The form is too large: 8 MB is the most that is accepted.");
    next();
  };
};
