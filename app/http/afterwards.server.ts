import { type RequestHandler } from "express";

/** Returns a handler that starts `work` each time a response has been sent. */
export const afterwards =
  (work: () => unknown): RequestHandler =>
  (_request, response, next) => {
    response.once("finish", () => void work());
    next();
  };
