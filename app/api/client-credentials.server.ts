import { json } from "@remix-run/node";
import { z } from "zod";
import { logInClient } from "~/domain/api-clients/client-login.service.server";
import { CLIENT_TOKEN_SECONDS, refuseClient } from "~/domain/api-clients/client-user.server";
import { clientOf } from "~/http/client.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { type Caller } from "./call";
import { NO_STORE } from "./login-outcome.server";

/** The fields of the grant `client_credentials` (RFC 6749 §4.4.2, §2.3.1). */
export const clientFields = {
  client_id: z.string().optional().describe("Required with `client_credentials`, here or in the header (HTTP Basic)"),
  client_secret: z.string().optional().describe("Required with `client_credentials`, here or in the header"),
  scope: z.string().optional().describe("With `client_credentials`: fewer scopes than the client has"),
};

/** The answer to this grant. */
export const clientToken = z.object({
  access_token: z.string(),
  token_type: z.literal("bearer"),
  expires_in: z.number().int().describe("Seconds"),
  scope: z.string().describe("The scopes of the token, separated by spaces"),
});

const wrong = (message: string) => new PortalError(message, { code: "token.request", status: 400 });

const decoded = (part: string): string => decodeURIComponent(part.replaceAll("+", " "));

/** Returns the credentials in the header (HTTP Basic, encoded as RFC 6749 §2.3.1 says), or null. Throws a PortalError when it is malformed. */
function inHeader({ headers }: Request): { clientId: string; secret: string } | null {
  const [, sent] = /^Basic +(\S+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
  if (sent === undefined) return null;
  const text = Buffer.from(sent, "base64").toString("utf8");
  const colon = text.indexOf(":");
  try {
    if (colon > 0) return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    // refused below
  }
  throw wrong("The header Authorization is not valid.");
}

const IN_ADDRESS =
  "A client secret must not be in the address, where logs keep it. Make a new secret, end this one, and send the new one in the body or the header.";

/** Throws a PortalError and records an event when the address contains a secret, which others can then read. */
function requireCleanAddress(request: Request): void {
  if (!new URL(request.url).searchParams.has("client_secret")) return;
  refuseClient(null, clientOf(request), "A client secret was sent in the address.");
  throw wrong(IN_ADDRESS);
}

export interface ClientGrant {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  scope?: string | undefined;
}

/**
 * Answers the grant `client_credentials`. The credentials are in the body or, better, in the header, but not in both. A wrong client or
 * secret from the header is answered with 401, from the body with 400 (RFC 6749 §5.2).
 */
export async function byClientCredentials(fields: ClientGrant, { request }: Caller): Promise<Response> {
  requireCleanAddress(request);
  const header = inHeader(request);
  if (header && fields.client_secret !== undefined)
    throw wrong("The secret is in the body and in the header. Send it once.");
  if (header && fields.client_id !== undefined && fields.client_id !== header.clientId)
    throw wrong("client_id: The header names another client.");
  const { clientId, secret } = header ?? { clientId: fields.client_id ?? "", secret: fields.client_secret ?? "" };
  if (clientId === "") throw wrong(`client_id: ${messages.required}`);
  if (secret === "") throw wrong(`client_secret: ${messages.required}`);
  const { token, scopes } = await logInClient({ clientId, secret, scope: fields.scope }, clientOf(request)).catch(
    (error: unknown) => {
      if (!header || !isPortalError(error) || error.code !== "client.invalid") throw error;
      throw new PortalError(error.message, { code: error.code, status: 401 });
    },
  );
  const answer: z.infer<typeof clientToken> = {
    access_token: token,
    token_type: "bearer",
    expires_in: CLIENT_TOKEN_SECONDS,
    scope: scopes.join(" "),
  };
  return json(answer, { headers: NO_STORE });
}
