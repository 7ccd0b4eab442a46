import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { open, seal } from "~/domain/accounts/factors/secret-box.server";
import { type WebhookDelivery } from "~db/repositories/webhook-deliveries.server";
import { type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";

const contextOf = (endpointId: number) => `webhook ${endpointId}`;

/** Returns a new secret of 256 random bits in the form of the Standard Webhooks. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Returns the secret of an endpoint in the form in which it is stored. */
export const sealWebhookSecret = (secret: string, endpointId: number): string => seal(secret, contextOf(endpointId));

function openSecret(sealed: string, endpointId: number): string {
  const secret = open(sealed, contextOf(endpointId));
  if (secret === null) throw new Error("None of AUDIT_KEYS opens the secret of the endpoint. Make a new secret.");
  return secret;
}

/** Returns the id of a new message (`webhook-id`). */
export const newMessageId = (): string => `msg_${randomBytes(16).toString("base64url")}`;

/** Returns the sealed secrets that sign now: the newest, and for a while the one before it. */
const secretsOf = ({ secret, earlierSecret, earlierEndsAt }: WebhookEndpoint, now: Date): string[] =>
  earlierSecret !== null && (earlierEndsAt ?? "") > now.toISOString() ? [secret, earlierSecret] : [secret];

/** Returns the headers of one try, by the specification of the Standard Webhooks. There is one signature for each secret that counts. */
export function signedHeaders(
  endpoint: WebhookEndpoint,
  { messageId, body }: Pick<WebhookDelivery, "messageId" | "body">,
  now: Date,
): Record<string, string> {
  const signatures = secretsOf(endpoint, now).map((sealed) =>
    new Webhook(openSecret(sealed, endpoint.id)).sign(messageId, now, body),
  );
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
