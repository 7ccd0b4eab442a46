import { readFileSync } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import { getConfig } from "~/lib/config.server";
import { CONNECTION_FAILURES } from "~/lib/connection-failures";
import { memoize } from "~/lib/memoize.server";
import { readRetryAfter } from "./retry.policy";
import { findWebhookTarget, readWebhookUrl, type WebhookTarget, WebhookTargetProblem } from "./target.server";

/** How long one try may take in all, from the question to the DNS to the status of the answer, in milliseconds. */
export const WEBHOOK_TIMEOUT_MS = 15_000;

/** What a receiver answered: its status, and how long it asks to wait, in milliseconds. */
export interface WebhookAnswer {
  status: number;
  retryAfterMs: number | null;
}

/** A try to which no answer came. The message is a sentence for people. */
export class WebhookProblem extends Error {}

const FAILURES: Partial<Record<string, string>> = {
  ...CONNECTION_FAILURES,
  EPROTO: "does not speak TLS at this port",
};

/** Returns the certificates that a receiver in the operator's own networks may chain to, or undefined for those that everybody knows. */
const insideAuthorities = memoize((): string[] | undefined => {
  const { insideCertificates } = getConfig().webhooks;
  return insideCertificates === undefined ? undefined : [...rootCertificates, readFileSync(insideCertificates, "utf8")];
});

/** Sends the request to the checked address. The certificate of the receiver must be for the host of the URL. */
function post(
  { url, address, isInside }: WebhookTarget,
  headers: Record<string, string>,
  body: string,
  end: AbortSignal,
) {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    method: "POST",
    host: address,
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    headers: { Host: url.host, ...headers, "Content-Length": Buffer.byteLength(body) },
    agent: false,
    signal: end,
  };
  const ca = isInside ? insideAuthorities() : undefined;
  const secure = { ...options, servername: isIP(hostname) === 0 ? hostname : "", ...(ca && { ca }) };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request(secure, resolve) : http.request(options, resolve);
    request.on("error", reject);
    request.end(body);
  });
}

const SECONDS = WEBHOOK_TIMEOUT_MS / 1000;
const TOO_SLOW = `The receiver did not answer within ${SECONDS} seconds.`;

function asProblem(error: unknown, end: AbortSignal): WebhookProblem {
  if (error instanceof WebhookTargetProblem) return new WebhookProblem(error.message);
  if (end.aborted) return new WebhookProblem(TOO_SLOW);
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code && FAILURES[code];
  return new WebhookProblem(why ? `The receiver ${why} (${code}).` : `The request failed: ${message}.`);
}

/** Waits for a result or for the end of the time, whichever comes first. */
const orTooLate = <T>(work: Promise<T>, end: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      end.addEventListener("abort", () => reject(new WebhookProblem(TOO_SLOW)), { once: true });
    }),
  ]);

/**
 * Sends a body to an endpoint once. Redirects are not followed and the content of the answer is not read.
 * Must not be called inside a transaction.
 *
 * @returns The status of the answer. Throws a WebhookProblem when no answer came, or the address is one to which nothing is sent.
 */
export async function postWebhook(
  to: string,
  headers: Record<string, string>,
  body: string,
  now: Date,
): Promise<WebhookAnswer> {
  const end = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
  try {
    const target = await orTooLate(findWebhookTarget(readWebhookUrl(to)), end);
    const all = { "Content-Type": "application/json; charset=utf-8", "User-Agent": "Marque webhooks", ...headers };
    const answer = await post(target, all, body, end);
    answer.on("error", () => undefined); // nothing after the status matters
    answer.destroy();
    return { status: answer.statusCode ?? 0, retryAfterMs: readRetryAfter(answer.headers["retry-after"], now) };
  } catch (error) {
    throw error instanceof WebhookProblem ? error : asProblem(error, end);
  }
}
