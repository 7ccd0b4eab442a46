import { z } from "zod";
import { memoize } from "~/lib/memoize.server";
import { askForJson } from "./vat-answer.server";

/** An application of HMRC's Developer Hub. */
export interface HmrcApplication {
  clientId: string;
  clientSecret: string;
}

/** How long before its end a token is no longer used, in milliseconds. It must still be valid when HMRC reads it. */
const EARLY = 60_000;

const answerSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

interface Held {
  /** The service and the application that the token is for. */
  key: string;
  token: string;
  /** The end of its use in milliseconds since 1970. */
  until: number;
}

interface Tokens {
  held?: Held;
  /** The request for a token that has not been answered yet. It is dropped as soon as it succeeds or fails. */
  pending?: { key: string; token: Promise<Held> } | undefined;
}

const tokens = memoize((): Tokens => ({}));

async function request(key: string, url: string, { clientId, clientSecret }: HmrcApplication): Promise<Held> {
  const asked = Date.now();
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { status, body } = await askForJson(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const answer = answerSchema.safeParse(body);
  // The answer may contain a secret, so the error names only the status.
  if (status !== 200 || !answer.success) throw new Error(`HMRC gave no access token: ${status}`);
  const { access_token: token, expires_in: seconds } = answer.data;
  return { key, token, until: asked + seconds * 1000 - EARLY };
}

/** Starts a request that other callers can share until it is answered. A later request for another application is left alone. */
function startRequest(state: Tokens, key: string, url: string, application: HmrcApplication) {
  const pending = { key, token: request(key, url, application) };
  const drop = () => {
    if (state.pending === pending) state.pending = undefined;
  };
  state.pending = pending;
  pending.token.then(drop, drop);
  return pending;
}

/**
 * Returns an access token of the OAuth 2.0 client credentials grant (RFC 6749 §4.4; HMRC, 'Application-restricted endpoints'). It is cached
 * until shortly before its end; HMRC's tokens are valid for 4 hours. Several callers share one request. Throws when HMRC cannot be reached,
 * is too slow, or issues no token.
 *
 * @param refused A token that HMRC no longer accepts. It is replaced even if it is cached.
 */
export async function hmrcAccessToken(url: string, application: HmrcApplication, refused?: string): Promise<string> {
  const key = `${url} ${application.clientId}`;
  const state = tokens();
  if (state.held?.key === key && state.held.token !== refused && Date.now() < state.held.until) return state.held.token;
  const pending = state.pending?.key === key ? state.pending : startRequest(state, key, url, application);
  state.held = await pending.token;
  return state.held.token;
}
