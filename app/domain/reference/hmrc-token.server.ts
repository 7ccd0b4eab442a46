import { z } from "zod";
import { memoize } from "~/lib/memoize.server";
import { askForJson } from "./vat-answer.server";

/** An application of HMRC's Developer Hub. */
export interface HmrcApplication {
  clientId: string;
  clientSecret: string;
}

/** A token is not used for its last minute: it must live until HMRC reads it. In milliseconds. */
const EARLY = 60_000;

const answerSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

interface Held {
  /** Service and application that it is for. */
  key: string;
  token: string;
  /** Milliseconds since 1970. */
  until: number;
}

interface Tokens {
  held?: Held;
  /** The request for a token that has not been answered yet. */
  underWay?: { key: string; token: Promise<Held> } | undefined;
}

const tokens = memoize((): Tokens => ({}));

async function request(key: string, url: string, { clientId, clientSecret }: HmrcApplication): Promise<Held> {
  const asked = Date.now();
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { status, body } = await askForJson(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const answer = answerSchema.safeParse(body);
  // What was answered may repeat a secret: the status alone is told.
  if (status !== 200 || !answer.success) throw new Error(`HMRC gave no access token: ${status}`);
  const { access_token: token, expires_in: seconds } = answer.data;
  return { key, token, until: asked + seconds * 1000 - EARLY };
}

/**
 * An access token of the OAuth 2.0 client credentials grant (RFC 6749 §4.4; HMRC, 'Application-restricted endpoints'), kept until shortly
 * before its end; HMRC's live for 4 hours. Of several callers one asks for it. `refused` is one that HMRC accepts no more.
 * Throws when HMRC is not reached, too slow, or gives none.
 */
export async function hmrcAccessToken(url: string, application: HmrcApplication, refused?: string): Promise<string> {
  const key = `${url} ${application.clientId}`;
  const state = tokens();
  if (state.held?.key === key && state.held.token !== refused && Date.now() < state.held.until) return state.held.token;
  if (state.underWay?.key !== key) {
    const token = request(key, url, application);
    state.underWay = { key, token };
    const settle = () => (state.underWay = undefined);
    token.then(settle, settle);
  }
  state.held = await state.underWay.token;
  return state.held.token;
}
