import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/node";
import { type Request as ExpressRequest, type RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { repositoryState } from "~/domain/repository/repository.service.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { STORED_PAGES } from "~/lib/public-pages";
import { cookieName } from "./cookie-name.server";
import { type Locals } from "./security-headers.server";
import { readTheme } from "./theme.server";

const ENCODINGS = ["br", "gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The bytes of a page in each encoding, and the sources of its inline scripts for the Content-Security-Policy. */
interface StoredPage {
  bodies: Readonly<Record<Encoding, Buffer>>;
  scriptSources: string;
  /** The pattern of the page's route, for the metrics. */
  route: string | undefined;
}

/** How long a page is shown after it was made, in milliseconds, because it states the time to the minute. */
const SHOWN_MS = 60_000;

/** Each page takes less than 200 KB in all encodings together; the API reference is the largest. */
const MOST_BYTES = 8 * 1024 * 1024;

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Quality 11, the highest, would keep a core busy for a second to make the API reference 5 % smaller. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs;

/** Returns the sources that allow exactly the inline scripts of a page (CSP Level 3 §2.3.1). */
const scriptSourcesOf = (html: string): string =>
  [...html.matchAll(INLINE_SCRIPT)]
    .map(([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    .join(" ");

/** What a request for a stored page has besides. */
interface StoredLocals extends Pick<Locals, "scriptSources" | "context"> {
  storedPage: StoredPage;
}

const localsFor = (storedPage: StoredPage, requestId: string): StoredLocals => ({
  storedPage,
  scriptSources: storedPage.scriptSources,
  ...(storedPage.route && { context: { cspNonce: "", requestId, route: storedPage.route } }),
});

async function stored(html: string, { route }: AppLoadContext): Promise<StoredPage> {
  const identity = Buffer.from(html);
  const [br, gz] = await Promise.all([compressed.br(identity, QUALITY), compressed.gzip(identity)]);
  return { bodies: { br, gzip: gz, identity }, scriptSources: scriptSourcesOf(html), route };
}

/** Returns whether this is a request for a page that looks the same for everybody without a session. */
const isForStored = (request: ExpressRequest): boolean =>
  STORED_PAGES.includes(request.originalUrl) &&
  ["GET", "HEAD"].includes(request.method) &&
  !(request.get("cookie") ?? "").includes(`${cookieName("marque")}=`);

/**
 * Returns handlers for public pages without forms that need a session. Their bytes are kept and sent again to everybody who has no session,
 * until the CAs or their CRLs change. `find` comes before the security headers, because the policy of such a page names its scripts by
 * their hashes instead of a nonce; `send` comes after them, and asks the gate first. Other requests are passed on.
 *
 * @param build The routes that make a page the first time.
 */
export function storedPages(build: ServerBuild) {
  const answer = createRequestHandler(build, getEnv().mode);

  async function make(path: string, cookie: string): Promise<StoredPage> {
    const request = new Request(new URL(path, getEnv().publicUrl), { headers: { Cookie: cookie } });
    const context: AppLoadContext = { cspNonce: "", requestId: "", isStored: true };
    const response = await answer(request, context);
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
    return stored(await response.text(), context);
  }

  const pages = new LRUCache<string, StoredPage, { path: string; cookie: string }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bodies }) => Object.values(bodies).reduce((sum, { length }) => sum + length, 0),
    ttl: SHOWN_MS,
    fetchMethod: (_key, _old, { context: { path, cookie } }) => make(path, cookie),
  });

  async function findPage(request: ExpressRequest): Promise<StoredPage | undefined> {
    const cookie = request.get("cookie") ?? "";
    const path = request.originalUrl;
    const theme = await readTheme(new Request(getEnv().publicUrl, { headers: { Cookie: cookie } }));
    return pages.fetch([path, theme, await repositoryState()].join(" "), { context: { path, cookie } });
  }

  const find: RequestHandler = (request, response, next) => {
    if (!isForStored(request)) return next();
    findPage(request).then(
      (page) => {
        if (page) Object.assign(response.locals, localsFor(page, (response.locals as Locals).requestId));
        next();
      },
      (error: unknown) => {
        logError(error, { code: "stored-page" }); // the page is made for this request, and says itself what is wrong
        next();
      },
    );
  };

  const send =
    (atGate: RequestHandler): RequestHandler =>
    (request, response, next) => {
      const { storedPage } = response.locals as Partial<StoredLocals>;
      if (!storedPage) return next();
      return atGate(request, response, () => {
        const encoding = (request.acceptsEncodings(...ENCODINGS) || "identity") as Encoding;
        response.writeHead(200, {
          ...(encoding !== "identity" && { "Content-Encoding": encoding }),
          "Content-Type": "text/html; charset=utf-8",
          "Content-Length": storedPage.bodies[encoding].length,
          "Cache-Control": "no-store",
          Vary: "Accept-Encoding, Cookie",
        });
        response.end(request.method === "HEAD" ? undefined : storedPage.bodies[encoding]);
      });
    };

  return { find, send };
}
