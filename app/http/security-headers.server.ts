import { type AppLoadContext } from "@remix-run/node";
import { type Request, type RequestHandler, type Response } from "express";
import helmet from "helmet";
import { partnerOrigins } from "~/domain/frame/endpoints.server";
import { findBannerOrigin } from "~/domain/homepage/homepage.service.server";
import { type Env } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { FRAME_PATH, MAIL_PART_PATH, MAIL_PREVIEW_PATH } from "~/lib/paths";

/** Data of a request that server.ts sets. */
export interface Locals {
  cspNonce: string;
  /** The sources that allow the inline scripts of a stored page, which has no nonce. */
  scriptSources?: string;
  requestId: string;
  /** The request's load context in Remix. */
  context?: AppLoadContext;
  /** The origin of the banner on the login screen. Set for pages only. */
  bannerOrigin?: string | null;
}

type Source = (request: unknown, response: unknown) => string;

const localsOf = (response: unknown) => (response as Response<unknown, Locals>).locals;

/** Whether a browser opens the address as a document. Browsers use the policy of documents only. */
const isPage = (request: Request) => request.get("accept")?.includes("text/html") ?? false;

/**
 * Looks up the banner's origin for a page. It is read for every page (one row by its key) and not cached, so that all processes give the
 * same answer. Every page's policy allows the origin, because navigation within a document can reach the login screen.
 */
const findSources: RequestHandler = (request, response, next) => {
  if (!isPage(request)) return next();
  findBannerOrigin().then(
    (origin) => {
      localsOf(response).bannerOrigin = origin;
      next();
    },
    (error: unknown) => {
      logError(error, { code: "homepage" });
      next();
    },
  );
};

const inlineScripts: Source = (_request, response) => {
  const { cspNonce, scriptSources } = localsOf(response);
  return scriptSources ?? `'nonce-${cspNonce}'`;
};
const banner: Source = (_request, response) => localsOf(response).bannerOrigin ?? "";
/** Allows the two configured endpoints, on the pages of framed forms only. */
const partners =
  (otherwise: string): Source =>
  (request) =>
    FRAME_PATH.test((request as Request).path) ? partnerOrigins().join(" ") : otherwise;

const frames: Source = (request, response) =>
  MAIL_PREVIEW_PATH.test((request as Request).path) ? "'self'" : partners("'none'")(request, response);

type Directives = Record<string, Iterable<string | Source>>;

const ofPages = (env: Env): Directives => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'", inlineScripts],
  styleSrc: ["'self'"],
  fontSrc: ["'self'"],
  imgSrc: ["'self'", "data:", banner],
  connectSrc: env.mode === "development" ? ["'self'", "ws:"] : ["'self'"],
  formAction: ["'self'", partners("")],
  frameSrc: [frames],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
});

/** The policy for the HTML part of a message in its preview frame: only its own styles are allowed. */
const OF_MAIL_PARTS: Directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'unsafe-inline'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'self'"],
  sandbox: [],
};

const withPolicy = (env: Env, directives: Directives): RequestHandler =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: env.isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: "same-origin" },
    crossOriginEmbedderPolicy: false,
  });

function headers(env: Env): RequestHandler {
  const [pages, mailParts] = [withPolicy(env, ofPages(env)), withPolicy(env, OF_MAIL_PARTS)];
  return (request, response, next) => (MAIL_PART_PATH.test(request.path) ? mailParts : pages)(request, response, next);
}

/**
 * Returns the handlers that set the security headers of every answer: a Content-Security-Policy with a nonce, or with the hashes of a
 * stored page's scripts, and helmet's other headers.
 */
export const securityHeaders = (env: Env): RequestHandler[] => [findSources, headers(env)];
