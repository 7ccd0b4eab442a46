import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/node";
import { type Request as ExpressRequest, type RequestHandler, type Response } from "express";
import { LRUCache } from "lru-cache";
import { findBanner } from "~/domain/homepage/homepage.service.server";
import { repositoryState } from "~/domain/repository/repository.service.server";
import { measurementState } from "~/domain/status/status.service.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { paths } from "~/lib/paths";
import { STORED_FORMS, STORED_PAGES } from "~/lib/public-pages";
import { cookieName } from "./cookie-name.server";
import { type Locals } from "./security-headers.server";
import { startVisitorSession } from "./session.server";
import { readTheme } from "./theme.server";

const ENCODINGS = ["br", "gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The page's bytes in each encoding, and the sources of its inline scripts for the Content-Security-Policy. */
interface StoredBytes {
  bodies: Readonly<Record<Encoding, Buffer>>;
  scriptSources: string;
}

/** A page with a form: its text in pieces, between which each visitor's own token and nonce stand. */
interface StoredForm {
  pieces: readonly string[];
}

type StoredPage = (StoredBytes | StoredForm) & {
  /** The pattern of the page's route, for the metrics. */
  route: string | undefined;
};

/** What stands in a form's page until a visitor gets it. Nothing else on the page can be the same. */
const TOKEN = randomBytes(32).toString("base64url");
const NONCE = randomBytes(32).toString("base64url");
const GAP = new RegExp(`(${TOKEN}|${NONCE})`);

/** How long a page is shown after it was made, in milliseconds, because it states the time to the minute. */
const SHOWN_MS = 60_000;

/** Each page takes less than 200 KB in all encodings together; the API reference is the largest. */
const MOST_BYTES = 8 * 1024 * 1024;

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Quality 11, the highest, would keep a core busy for a second to make the API reference 5 % smaller. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** For bytes that are sent once: quicker than gzip, and shorter. */
const ONCE = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs;

/** Returns the sources that allow exactly the inline scripts of a page (CSP Level 3 §2.3.1). */
const scriptSourcesOf = (html: string): string =>
  [...html.matchAll(INLINE_SCRIPT)]
    .map(([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    .join(" ");

/** What a request for a stored page has besides. */
interface StoredLocals extends Pick<Locals, "scriptSources" | "context" | "cspNonce" | "requestId"> {
  storedPage: StoredPage;
}

function localsFor(storedPage: StoredPage, { requestId, cspNonce }: Locals): Partial<StoredLocals> {
  const { route } = storedPage;
  return {
    storedPage,
    ...("bodies" in storedPage && { scriptSources: storedPage.scriptSources }),
    ...(route && { context: { cspNonce, requestId, route } }),
  };
}

async function stored(html: string): Promise<StoredBytes> {
  const identity = Buffer.from(html);
  const [br, gz] = await Promise.all([compressed.br(identity, QUALITY), compressed.gzip(identity)]);
  return { bodies: { br, gzip: gz, identity }, scriptSources: scriptSourcesOf(html) };
}

const isForm = (path: string): boolean => STORED_FORMS.includes(path);

/** Returns whether this is a request for a page that looks the same for everybody without a session. */
const isForStored = ({ originalUrl, method, headers }: ExpressRequest): boolean =>
  (STORED_PAGES.includes(originalUrl) || isForm(originalUrl)) &&
  ["GET", "HEAD"].includes(method) &&
  !(headers.cookie ?? "").includes(`${cookieName("marque")}=`);

/** Returns a text that changes with what the page shows. */
async function stateOf(path: string): Promise<string> {
  if (isForm(path)) return JSON.stringify(await findBanner());
  const state = await repositoryState();
  return path === paths.status ? `${state} ${await measurementState()}` : state;
}

/** Returns the bytes for a visitor. A form gets the token of a new session, whose cookie is set in the answer. */
async function bytesFor(page: StoredPage, encoding: Encoding, response: Response<unknown, StoredLocals>) {
  if ("bodies" in page) return page.bodies[encoding];
  const { csrf, cookie } = await startVisitorSession();
  response.append("Set-Cookie", cookie);
  const gaps: Record<string, string> = { [TOKEN]: csrf, [NONCE]: response.locals.cspNonce };
  const html = Buffer.from(page.pieces.map((piece) => gaps[piece] ?? piece).join(""));
  return encoding === "identity" ? html : compressed[encoding](html, encoding === "br" ? ONCE : {});
}

/**
 * Returns handlers for public pages that are the same for everybody who has no session, but for the token of their form. They are kept and
 * sent again until what they show changes. `find` comes before the security headers, because the policy of a page without a token names its
 * scripts by their hashes instead of a nonce; `send` comes after them, and asks the gate first. Other requests are passed on.
 *
 * @param build The routes that make a page the first time.
 */
export function storedPages(build: ServerBuild) {
  const answer = createRequestHandler(build, getEnv().mode);

  async function make(path: string, cookie: string): Promise<StoredPage> {
    const request = new Request(new URL(path, getEnv().publicUrl), { headers: { Cookie: cookie } });
    const context: AppLoadContext = isForm(path)
      ? { cspNonce: NONCE, requestId: "", storedToken: TOKEN }
      : { cspNonce: "", requestId: "", storedToken: "" };
    const response = await answer(request, context);
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
    const html = await response.text();
    return { ...(isForm(path) ? { pieces: html.split(GAP) } : await stored(html)), route: context.route };
  }

  const pages = new LRUCache<string, StoredPage, { path: string; cookie: string }>({
    maxSize: MOST_BYTES,
    sizeCalculation: (page) =>
      ("bodies" in page ? Object.values(page.bodies) : page.pieces).reduce((sum, { length }) => sum + length, 0),
    ttl: SHOWN_MS,
    fetchMethod: (_key, _old, { context: { path, cookie } }) => make(path, cookie),
  });

  async function findPage(request: ExpressRequest): Promise<StoredPage | undefined> {
    const cookie = request.get("cookie") ?? "";
    const path = request.originalUrl;
    const theme = await readTheme(new Request(getEnv().publicUrl, { headers: { Cookie: cookie } }));
    return pages.fetch([path, theme, await stateOf(path)].join(" "), { context: { path, cookie } });
  }

  const find: RequestHandler = (request, response, next) => {
    if (!isForStored(request)) return next();
    findPage(request).then(
      (page) => {
        if (page) Object.assign(response.locals, localsFor(page, response.locals as Locals));
        next();
      },
      (error: unknown) => {
        logError(error, { code: "stored-page" }); // the page is made for this request, and says itself what is wrong
        next();
      },
    );
  };

  async function answerWith(page: StoredPage, request: ExpressRequest, response: Response): Promise<void> {
    const encoding = (request.acceptsEncodings(...ENCODINGS) || "identity") as Encoding;
    const bytes = await bytesFor(page, encoding, response as Response<unknown, StoredLocals>);
    response.writeHead(200, {
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": bytes.length,
      "Cache-Control": "no-store",
      Vary: "Accept-Encoding, Cookie",
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
  }

  const send =
    (atGate: RequestHandler): RequestHandler =>
    (request, response, next) => {
      const { storedPage } = response.locals as Partial<StoredLocals>;
      if (!storedPage) return next();
      return atGate(request, response, () => void answerWith(storedPage, request, response).catch(next));
    };

  return { find, send };
}
