import { type RequestHandler } from "express";
import { preparePolicyPdfs } from "~/domain/repository/policies/policies.service.server";

/** Whoever is shown a page of the repository may open one of its PDFs next: they are made once the page has been sent. */
export const policyPdfsAfterwards: RequestHandler = (_request, response, next) => {
  response.once("finish", () => void preparePolicyPdfs());
  next();
};

/** Milliseconds after a start in which nothing is made that nobody may be about to open. */
const QUIET_START_MS = 60_000;

/** Makes the PDFs of the policies a while after the start. The timer does not keep the process. */
export function policyPdfsAfterStart(): void {
  setTimeout(() => void preparePolicyPdfs(), QUIET_START_MS).unref();
}
