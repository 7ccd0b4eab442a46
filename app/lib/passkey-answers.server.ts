import { createHash } from "node:crypto";
import { z } from "zod";
import { getEnv } from "~/lib/env.server";

/** Returns the origin of the portal, and the host name to which passkeys are bound (`rpID`). */
export function relyingParty(): { origin: string; rpID: string } {
  const { origin, hostname } = new URL(getEnv().publicUrl);
  return { origin, rpID: hostname };
}

/** Longer than any answer of an authenticator: even the largest post-quantum key has less than 4 KB. */
const LONGEST = 20_000;

const base64url = z
  .string()
  .min(1)
  .max(LONGEST)
  .regex(/^[\w-]+$/);

/** A credential id has at most 1023 bytes (WebAuthn Level 3 §5.8.3). */
const credentialId = base64url.max(1364);

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** Returns the transports that this version knows. Browsers add new ones. */
export const knownTransports = (names: readonly string[]): Transport[] =>
  TRANSPORTS.filter((transport) => names.includes(transport));

const common = { id: credentialId, rawId: credentialId, type: z.literal("public-key") };

/** What `startRegistration` returns, without the fields that are not checked. */
const addition = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).max(20).default([]).transform(knownTransports),
  }),
});

/** What `startAuthentication` returns, without the fields that are not checked. */
const use = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});

export type PasskeyAddition = z.infer<typeof addition>;
export type PasskeyUse = z.infer<typeof use>;

/** What the browser says about the page that asked for the answer. */
const clientData = z.object({ challenge: z.string(), origin: z.string(), crossOrigin: z.boolean().default(false) });

export type ClientData = z.infer<typeof clientData>;

/** Returns a JSON text as the schema describes it, or null. */
function read<Schema extends z.ZodTypeAny>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(text)) as z.output<Schema>;
  } catch {
    return null;
  }
}

interface Read<Answer> {
  answer: Answer;
  client: ClientData;
}

function readAnswer<Answer extends { response: { clientDataJSON: string } }>(
  schema: z.ZodType<Answer, z.ZodTypeDef, unknown>,
  text: string,
): Read<Answer> | null {
  const answer = read(schema, text.slice(0, 4 * LONGEST));
  const client = answer && read(clientData, Buffer.from(answer.response.clientDataJSON, "base64url").toString("utf8"));
  return answer && client && { answer, client };
}

/** Returns the answer to the challenge of a new passkey, or null when the text is none. */
export const readAddition = (text: string) => readAnswer(addition, text);

/** Returns the answer of a passkey, or null when the text is none. */
export const readUse = (text: string) => readAnswer(use, text);

/** Returns whether the answer was made for a page of this portal that no other site frames. */
export function isOwnAnswer({ origin, crossOrigin }: ClientData, authenticatorData: Uint8Array): boolean {
  const own = relyingParty();
  const rpIdHash = createHash("sha256").update(own.rpID).digest();
  return origin === own.origin && !crossOrigin && rpIdHash.equals(authenticatorData.subarray(0, 32));
}
