import {
  allowInsecureRequests,
  type AuthorizationCodeGrantChecks,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
} from "openid-client";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type SingleSignOn } from "~/lib/single-sign-on.server";
import { type Claims } from "./claims.policy";
import { type SignOnRefusal, SignOnRefused } from "./refusals";
import { type SignOnRequest } from "./sign-on-request.server";

/** How many seconds the portal waits for an answer of the identity provider. */
const TIMEOUT_S = 5;

/** How long what the provider says about itself is kept, in milliseconds. */
const KEPT_MS = 60 * 60_000;

/** How old a login at the provider may be that confirms who is at the browser, in seconds. */
const FRESH_S = 600;

const known = memoize(() => new Map<string, { until: number; configuration: Promise<Configuration> }>());

const discover = ({ issuer, clientId, clientSecret }: SingleSignOn) =>
  discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith("http://") ? [allowInsecureRequests] : [])],
  });

/** Returns what the provider says about itself, which is kept for an hour. A failure is not kept: the next login asks again. */
async function providerOf(settings: SingleSignOn): Promise<Configuration> {
  const { issuer } = settings;
  const kept = known().get(issuer);
  if (kept && kept.until > Date.now()) return kept.configuration;
  const configuration = discover(settings);
  known().set(issuer, { until: Date.now() + KEPT_MS, configuration });
  try {
    return await configuration;
  } catch (error) {
    known().delete(issuer);
    logError(error);
    throw new SignOnRefused("unreachable", {}, error);
  }
}

const callbackUrl = () => getEnv().publicUrl + serverPaths.singleSignOnCallback;

/**
 * Returns the address at the provider to which the browser is sent. Throws a SignOnRefused when the provider cannot be reached.
 *
 * @param isConfirming Whether the provider must ask who is at the browser even if its own session goes on.
 */
export async function authorisationUrl(
  settings: SingleSignOn,
  { state, nonce, verifier }: SignOnRequest,
  isConfirming: boolean,
): Promise<string> {
  const provider = await providerOf(settings);
  const { acr } = settings.secondFactor;
  return buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(),
    scope: settings.scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(acr.length > 0 && { acr_values: acr.join(" ") }),
    ...(isConfirming && { max_age: "0", prompt: "login" }),
  }).href;
}

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : error === undefined ? [] : [];

const claimIn = (error: Error): string | undefined => (error.cause as { claim?: string } | undefined)?.claim;

const BY_CLAIM: Readonly<Record<string, SignOnRefusal>> = {
  iss: "issuer",
  aud: "audience",
  azp: "audience",
  nonce: "nonce",
  exp: "expired",
  auth_time: "stale",
};

/** The library's codes for an answer that did not come or that was none of OpenID Connect, as while the provider is out of order. */
const UNUSABLE: readonly string[] = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
];

/** Returns why an answer of the provider was refused, from the error of the library. */
function reasonOf(error: unknown): SignOnRefusal {
  if (error instanceof AuthorizationResponseError) return "denied";
  if (error instanceof ResponseBodyError) return error.error === "invalid_grant" ? "code" : "token";
  const causes = causesOf(error);
  const claim = causes.map(claimIn).find((name) => name !== undefined);
  if (claim !== undefined) return BY_CLAIM[claim] ?? "token";
  if (causes.some(({ message }) => message.includes('"iss" (issuer)'))) return "issuer";
  const isAnswered = error instanceof ClientError && !UNUSABLE.includes(error.code ?? "");
  return isAnswered && !causes.some(({ message }) => message === "fetch failed") ? "token" : "unreachable";
}

/**
 * Exchanges the code in the address of the callback for the claims about the user. Checks state, issuer, audience, nonce, times and
 * signature. Claims that the token lacks come from the user info of the provider. Throws a SignOnRefused with the reason.
 *
 * @param search The query of the callback.
 */
export async function exchange(
  settings: SingleSignOn,
  search: string,
  { state, nonce, verifier }: SignOnRequest,
  isConfirming: boolean,
): Promise<Claims> {
  const provider = await providerOf(settings);
  const checks: AuthorizationCodeGrantChecks = {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
    ...(isConfirming && { maxAge: FRESH_S }),
  };
  try {
    const tokens = await authorizationCodeGrant(provider, new URL(callbackUrl() + search), checks);
    const token = tokens.claims();
    if (!token) throw new SignOnRefused("token");
    const isWhole = token.email !== undefined && token[settings.groupClaim] !== undefined;
    const isAskable = !isWhole && provider.serverMetadata().userinfo_endpoint !== undefined;
    const more = isAskable ? await fetchUserInfo(provider, tokens.access_token, token.sub) : {};
    return { ...more, ...token };
  } catch (error) {
    if (error instanceof SignOnRefused) throw error;
    const reason = reasonOf(error);
    if (reason === "unreachable") logError(error);
    throw new SignOnRefused(reason, {}, error);
  }
}
