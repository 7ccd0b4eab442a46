import { newTotpSecret, qrPath, stepOfCode, totpAddress } from "~/lib/totp.server";
import { getDb } from "~db/connection.server";
import { listFactors } from "~db/repositories/second-factors.server";
import { type SessionUser } from "../session-user";
import { addFactor, isKnownSecret, refusal, requireFactorChange } from "./factors.service.server";
import { consumeFactorTry, giveBackFactorTry, refuseFactor } from "./prove.service.server";
import { open, seal } from "./secret-box.server";
import { sealTotpSecret } from "./totp-secrets.server";

/** How long the page of a new app can be used, in milliseconds. */
const OFFER_LIFETIME = 30 * 60_000;

const offerContext = ({ id, sessionId }: SessionUser) => `offered app ${id} ${sessionId ?? ""}`;

/** Returns a new secret for an authenticator app, sealed for this session. The address of the page contains it, so that nothing is stored. */
export const offerApp = (user: SessionUser, now = new Date()): string =>
  seal(`${now.getTime()} ${newTotpSecret()}`, offerContext(user));

/** Returns the secret in an offer that this session got within 30 minutes, or null. */
function readOffer(user: SessionUser, offer: string, now: Date): string | null {
  const [time, secret] = (open(offer, offerContext(user)) ?? "").split(" ");
  return secret && Number(time) > now.getTime() - OFFER_LIFETIME ? secret : null;
}

/**
 * Returns what an app needs to know: the secret and its QR code. Returns "added" when the app has been added, so that nobody finds the
 * secret by going back, and null for an offer of another session or older than 30 minutes.
 */
export async function readAppOffer(user: SessionUser, offer: string, now = new Date()) {
  const secret = readOffer(user, offer, now);
  if (secret === null) return null;
  if (isKnownSecret(await listFactors(getDb(), user.id), secret)) return "added" as const;
  const groups = secret.match(/.{1,4}/g) ?? [];
  return { secret: groups.join(" "), qr: qrPath(totpAddress(secret, user.username)) };
}

/**
 * Adds an authenticator app that shows the right code for the offered secret. Returns the recovery codes when they were made now, otherwise
 * null. Throws a PortalError for the field `code` or `name`, and what `requireFactorChange` throws.
 */
export async function addApp(
  user: SessionUser,
  { offer, code, name }: { offer: string; code: string; name: string },
  now = new Date(),
): Promise<string[] | null> {
  await requireFactorChange(user, now);
  await consumeFactorTry(user.id, now);
  const secret = readOffer(user, offer, now);
  if (!secret) throw refusal("This page is older than 30 minutes. Please scan the new code.", "code");
  const lastStep = stepOfCode(secret, code.replace(/\s/g, ""), now);
  if (lastStep === null) throw await refuseFactor({ userId: user.id, actor: user.actor }, "wrong-new");
  await giveBackFactorTry(user.id);
  const kind = "totp" as const;
  return addFactor(user, { kind, name, secret: sealTotpSecret(secret, user.id), lastStep, lastUsedAt: now }, now);
}
