import { json } from "@remix-run/node";
import { z } from "zod";
import { redeemAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { logInProgram } from "~/domain/accounts/factors/program-login.server";
import { grantAtLogin } from "~/domain/accounts/recovery/change-permit.service.server";
import { may } from "~/domain/accounts/rights.policy";
import {
  issueTicket,
  revokeAccessToken,
  TICKET_SECONDS,
  type ActingBy,
  TOKEN_SECONDS,
  type NewHolder,
} from "~/domain/accounts/tokens/api-tokens.service.server";
import { CLIENT_REFUSALS } from "~/domain/api-clients/client-login.service.server";
import { clientOf } from "~/http/client.server";
import { noteEvent } from "~/http/noted-refusals.server";
import { retryHeaders } from "~/http/responses.server";
import { GENERIC_ERROR, isPortalError, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group, type Caller, type Ungrouped } from "../call";
import { InvalidInput } from "../check";
import { byClientCredentials, clientFields, clientToken } from "../client-credentials.server";
import { grantToken, isResult, NO_STORE, resultOf, RESULTS } from "../login-outcome.server";
import { originOfCall } from "../origin.server";
import { nothing } from "../wire";
import { proxyLoginCall } from "./proxy-login.server";
import { confirmCall } from "./token-confirm.server";

const grant = z
  .object({
    grant_type: z.string().openapi({ enum: ["password", "login_as_user", "client_credentials"] }),
    username: z.string().optional().describe("Required with `password`: the email address"),
    password: z.string().optional().describe("Required with `password`"),
    otp: z
      .string()
      .max(40)
      .optional()
      .describe("Required with `password` for an account with a second factor: a code of its authenticator app"),
    authString: z
      .string()
      .optional()
      .describe("Required with `login_as_user`: made in the list of users, for one use within a minute"),
    userId: z.string().optional().describe("Required with `login_as_user`: the user to act as"),
    ...clientFields,
  })
  .passthrough();

const token = z.object({
  access_token: z.string(),
  token_type: z.literal("bearer"),
  expires_in: z.number().int().describe("Seconds"),
  userId: z.number().int(),
  username: z.string(),
  rights: z.string().describe("Applicant and Admin, comma-separated"),
  authenticateUserResult: z.string().openapi({ enum: RESULTS.map(resultOf), description: "`id:description`" }),
  changePasswordToken: z
    .string()
    .optional()
    .describe(
      "When the password has expired or is about to: the `token` for UserSecurity/ChangePassword, for 30 minutes",
    ),
});

const refusal = z.object({
  error: z.enum([
    "invalid_grant",
    "invalid_request",
    "unsupported_grant_type",
    ...Object.values(CLIENT_REFUSALS),
    "temporarily_unavailable",
    "server_error",
  ]),
  error_description: z.string(),
  authenticateUserResult: z
    .string()
    .optional()
    .openapi({ enum: RESULTS.map(resultOf) }),
});

/** Returns the error name of OAuth 2 for a refusal (RFC 6749 §5.2). */
function nameOf({ code, status }: PortalError): z.infer<typeof refusal>["error"] {
  if (code === "token.grant-type") return "unsupported_grant_type";
  if (Object.hasOwn(CLIENT_REFUSALS, code)) return CLIENT_REFUSALS[code as keyof typeof CLIENT_REFUSALS];
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return code.startsWith("body.") || code.startsWith("form.") || code === "token.request"
    ? "invalid_request"
    : "invalid_grant";
}

const wrong = (field: string, message: string) =>
  new PortalError(`${field}: ${message}`, { code: "token.request", status: 400 });

const missing = (field: string) => wrong(field, messages.required);

function refuse(thrown: unknown): Response {
  const error = thrown instanceof InvalidInput ? missing(Object.keys(thrown.errors)[0] ?? "") : thrown;
  if (!isPortalError(error))
    return json({ error: "server_error", error_description: GENERIC_ERROR }, { status: 500, headers: NO_STORE });
  const { message, code, status, retryAfter } = error;
  const body: z.infer<typeof refusal> = {
    error: nameOf(error),
    error_description: message,
    ...(isResult(code) && { authenticateUserResult: resultOf(code) }),
  };
  return json(body, {
    status: [401, 413, 415, 429, 503].includes(status) ? status : 400,
    headers: {
      ...NO_STORE,
      ...retryHeaders(retryAfter),
      ...(status === 401 && { "WWW-Authenticate": 'Basic realm="api", charset="UTF-8"' }),
    },
  });
}

async function granted(holder: NewHolder, by?: ActingBy): Promise<Response> {
  const { user, result, ...content } = await grantToken(holder, by);
  const mustChange = !user.impersonator && user.passwordAge !== "fresh";
  const answer: z.infer<typeof token> = {
    ...content,
    expires_in: TOKEN_SECONDS,
    authenticateUserResult: result,
    ...(mustChange && { changePasswordToken: await grantAtLogin(user) }),
  };
  return json(answer, { headers: NO_STORE });
}

const bearerOf = (request: Request) => (request.headers.get("Authorization") ?? "").replace(/^Bearer +/i, "");

type Grant = z.infer<typeof grant>;

async function byPassword({ username, password, otp }: Grant, caller: Caller): Promise<Response> {
  if (!username?.trim()) throw missing("username");
  if (!password) throw missing("password");
  const origin = originOfCall(caller);
  const { id, sessionEpoch, proof } = await logInProgram({ name: username, password, otp }, { origin });
  return granted({ owner: { id, epoch: sessionEpoch }, impersonator: undefined, client: origin.client, proof });
}

/** Logs an administrator in as a user. The administrator's own token must be in the header, because nobody else may use an authString. */
async function asUser({ authString, userId }: Grant, { user: admin, owner, request }: Caller): Promise<Response> {
  if (!authString) throw missing("authString");
  if (!userId?.trim()) throw missing("userId");
  if (!/^[1-9]\d{0,8}$/.test(userId)) throw wrong("userId", messages.invalid);
  if (!admin || !may(admin, "change-users") || admin.impersonator || !owner)
    throw new PortalError("The access token of the administrator is required.", { code: "token.administrator" });
  const user = await redeemAuthString({ userId: Number(userId), authString }, admin).catch((error: unknown) => {
    if (!isPortalError(error) || error.code !== "account.auth-string") throw error;
    throw new PortalError("The authString is unknown, used or expired.", { code: error.code });
  });
  const acted = { id: user.id, epoch: user.sessionEpoch };
  return granted(
    { owner: acted, impersonator: owner.owner, client: clientOf(request) },
    { token: bearerOf(request), sessionId: user.sessionId },
  );
}

const GRANTS: Readonly<Record<string, (fields: Grant, caller: Caller) => Promise<Response>>> = {
  password: byPassword,
  login_as_user: asUser,
  client_credentials: byClientCredentials,
};

const tokenCall: Ungrouped = {
  path: "token",
  method: "POST",
  who: "anyone",
  summary: "An access token, for eight hours, or of an API client for one hour",
  notes:
    "As in OAuth 2 (RFC 6749 §4.3). Send the token as `Authorization: Bearer …` with every other call. It ends when the password or the email address is changed, when the user ends it on the page 'Your sessions and devices', when an administrator ends the sessions of the account, and when the account is disabled, locked or merged into another one. With `login_as_user` an administrator acts as somebody; the administrator's own token goes into the header, and the answered one ends with it, and with the session in which the authString was made. An account with a second factor also sends `otp`: a code of its authenticator app, or a recovery code; without it the answer is `invalid_grant` with a description that says so. Staff must have a second factor after the days of grace. Five wrong passwords in a row lock the account: the fifth is answered with `6:AccountLocked`.\n\nAn API client uses `client_credentials` (RFC 6749 §4.4) with its `client_id` and `client_secret` in the form, or better in the header (HTTP Basic). Its token has the scopes of the client, or fewer with `scope`, and ends with the client and with the secret. A wrong secret is answered with `invalid_client`, a scope that the client does not have with `invalid_scope`, and a client that nobody answers for, or that is not in an allowed network, with `unauthorized_client`.",
  failure: "OCA0403E",
  body: "form",
  isBeforeDuties: true,
  needsProof: false,
  input: grant,
  answer: { kind: "plain", output: z.union([token, clientToken]), refusal, refuse, refusesToo: [401] },
  handle: (input, caller) => {
    const fields = input as Grant;
    const grantBy = Object.hasOwn(GRANTS, fields.grant_type) ? GRANTS[fields.grant_type] : undefined;
    if (!grantBy)
      throw new PortalError("The grant type is client_credentials, password or login_as_user.", {
        code: "token.grant-type",
        status: 400,
      });
    return grantBy(fields, caller);
  },
};

export const tokenCalls = group("Tokens", [
  tokenCall,
  proxyLoginCall,
  confirmCall,
  call({
    path: "token/ticket",
    method: "POST",
    who: "user",
    summary: "A ticket for one download within a minute",
    notes:
      "Used in the query of a download as `access_token` instead of the token, because more people and programs see an address than a header. The first `GET` consumes it, even one that is refused. It ends with the token that it was made with.",
    isBeforeDuties: true,
    input: nothing,
    output: z.object({ ticket: z.string(), expiresIn: z.number().int().describe("Seconds") }),
    handle: async (_, caller) => ({
      ticket: await issueTicket(caller.owner, bearerOf(caller.request)),
      expiresIn: TICKET_SECONDS,
    }),
  }),
  call({
    path: "token/revoke",
    method: "POST",
    who: "user",
    summary: "Ends the token that the call is made with, and its tickets",
    isBeforeDuties: true,
    input: nothing,
    output: z.boolean(),
    handle: async (_, caller) => {
      await revokeAccessToken(bearerOf(caller.request));
      noteEvent(caller.request, "account.logged-out", "Ended the access token.");
      return true;
    },
  }),
]);
