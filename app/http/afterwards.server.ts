import { type RequestHandler } from "express";

/** Starts some work each time an answer has been sent. */
export const afterwards =
  (work: () => unknown): RequestHandler =>
  (_request, response, next) => {
    response.once("finish", () => void work());
    next();
  };
