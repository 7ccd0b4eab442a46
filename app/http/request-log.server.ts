import { randomBytes, randomUUID } from "node:crypto";
import { type RequestHandler } from "express";
import { log, loggablePath } from "~/lib/log.server";
import { type Locals } from "./security-headers.server";

/** Gives a request its id and its nonce, and logs the answer. The query, headers and body of the request are not logged. */
export const requestLog: RequestHandler<object, unknown, unknown, object, Locals> = (request, response, next) => {
  response.locals.cspNonce = randomBytes(16).toString("base64");
  response.locals.requestId = randomUUID();
  request.headers["x-marque-request"] = response.locals.requestId;
  response.setHeader("X-Request-Id", response.locals.requestId);
  const { method } = request;
  const path = loggablePath(request.path);
  const started = performance.now();
  response.on("finish", () => {
    const ms = Math.round(performance.now() - started);
    log().info({ requestId: response.locals.requestId, method, path, status: response.statusCode, ms }, "request");
  });
  next();
};
