import { type ErrorRequestHandler } from "express";
import { logError } from "~/lib/log.server";
import { CHANGED } from "./conditional.server";
import { type Locals } from "./security-headers.server";

const statusOf = (error: unknown): number => {
  const { status } = error as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
};

/**
 * Answers errors that were thrown outside Remix, such as a missing build file, with a line of text. Express itself would print every error,
 * including wrong addresses, which the request log already has.
 */
export const lastResort: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = statusOf(error);
  if (status >= 500) logError(error, { context: response.locals as Locals });
  if (response.headersSent) return next(error);
  const text = status === 412 ? CHANGED : status >= 500 ? "Something went wrong." : "There is no such file.";
  response.status(status).type("text").send(`${text}\n`);
};
