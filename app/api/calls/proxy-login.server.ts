import { isIP } from "node:net";
import { json } from "@remix-run/node";
import { z } from "zod";
import { logInProgram } from "~/domain/accounts/factors/program-login.server";
import { type LoginOrigin } from "~/domain/accounts/login-origin";
import { bringsSecret } from "~/http/bearer.server";
import { retryHeaders } from "~/http/responses.server";
import { getEnv } from "~/lib/env.server";
import { GENERIC_ERROR, isPortalError, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { networkOf } from "~/lib/networks.server";
import { type Caller, type Ungrouped } from "../call";
import { InvalidInput } from "../check";
import { grantToken, isResult, NO_STORE, resultOf, RESULTS } from "../login-outcome.server";
import { originOfCall } from "../origin.server";

const CLIENT_HEADER = "Auth-Proxy-Client";

const input = z
  .object({
    username: z.string().max(200).describe("The email address"),
    password: z.string().max(50),
    otp: z
      .string()
      .max(40)
      .optional()
      .describe("Required for an account with a second factor: a code of its authenticator app"),
  })
  .strict();

const result = z.object({
  success: z.boolean(),
  serverDescription: z
    .string()
    .describe(`The outcome as \`id:description\`: ${RESULTS.map(resultOf).join(", ")}; or a code of the refusal`),
  errorMessage: z.string().describe("The reason in words; empty on success"),
});

const granted = z.object({
  result,
  access_token: z.string(),
  token_type: z.literal("bearer"),
  username: z.string(),
  rights: z.string().describe("Applicant and Admin, comma-separated"),
  userId: z.number().int(),
});

const KNOWN_STATUSES = [401, 404, 413, 415, 429, 503];

function refuse(thrown: unknown): Response {
  const field = thrown instanceof InvalidInput ? Object.entries(thrown.errors)[0] : undefined;
  const error = field ? new PortalError(field.join(": "), { code: "token.request", status: 400 }) : thrown;
  const { message, code, status, retryAfter } = isPortalError(error)
    ? error
    : new PortalError(GENERIC_ERROR, { code: "unexpected", status: 500 });
  const serverDescription = isResult(code) ? resultOf(code) : code;
  return json(
    { result: { success: false, serverDescription, errorMessage: message } },
    {
      status: [...KNOWN_STATUSES, 500].includes(status) ? status : 400,
      headers: { ...NO_STORE, ...retryHeaders(retryAfter), ...(status === 401 && { "WWW-Authenticate": "Bearer" }) },
    },
  );
}

/**
 * Throws a PortalError when no proxy is configured (404) or the request is not from it (401). The secret and the address are checked
 * together.
 */
function requireProxy(request: Request): void {
  const proxy = getEnv().authProxy;
  if (!proxy) throw new PortalError("No authentication proxy is configured.", { code: "not-found", status: 404 });
  const isSecret = bringsSecret(request, proxy.secret);
  if (!proxy.isTrusted(request.headers.get("x-marque-address") ?? "") || !isSecret)
    throw new PortalError("Only the authentication proxy may make this call.", { code: "token.proxy", status: 401 });
}

/** Returns the origin of the person whom the proxy logs in, or that of the proxy when it does not send it. */
function originOfPerson(caller: Caller): LoginOrigin {
  const origin = originOfCall(caller);
  const named = caller.request.headers.get(CLIENT_HEADER)?.trim() ?? "";
  return isIP(named) > 0
    ? { ...origin, network: networkOf(named), client: { ...origin.client, address: named } }
    : origin;
}

async function logIn({ username, password, otp }: z.infer<typeof input>, caller: Caller): Promise<Response> {
  requireProxy(caller.request);
  const wrong = (field: string) =>
    new PortalError(`${field}: ${messages.required}`, { code: "token.request", status: 400 });
  if (username.trim() === "") throw wrong("username");
  if (password === "") throw wrong("password");
  const origin = originOfPerson(caller);
  const { id, sessionEpoch, proof } = await logInProgram({ name: username, password, otp }, { origin });
  const {
    user: _,
    result: outcome,
    ...content
  } = await grantToken({
    owner: { id, epoch: sessionEpoch },
    impersonator: undefined,
    client: origin.client,
    proof,
  });
  const success = { success: true, serverDescription: outcome, errorMessage: "" };
  return json({ result: success, ...content } satisfies z.infer<typeof granted>, { headers: NO_STORE });
}

/** A login through an authentication proxy (API-01). */
export const proxyLoginCall: Ungrouped = {
  path: "token/proxy",
  method: "POST",
  who: "anyone",
  summary: "A login through an authentication proxy",
  notes: `For a proxy that the operator trusts: 404 unless one is configured. The proxy brings its secret as \`Authorization: Bearer …\` and calls from a trusted address. It may name the address of the person who logs in as \`${CLIENT_HEADER}\`; limits and locks then count that person's network. They are those of \`token\`, and so are the second factor (\`otp\`), the access token and the entries in the audit trail.`,
  failure: "OCA0403E",
  body: "form",
  isBeforeDuties: true,
  needsProof: false,
  headers: z.object({ [CLIENT_HEADER]: z.string().optional().describe("IP address of the person who logs in") }),
  input,
  answer: { kind: "plain", output: granted, refusal: z.object({ result }), refuse, refusesToo: [401, 404] },
  handle: (fields, caller) => logIn(fields as z.infer<typeof input>, caller),
};
