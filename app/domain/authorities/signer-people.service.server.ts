import { type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { CaError } from "~/ca/errors.server";
import { CHALLENGE_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { knownTransports, readUse, relyingParty } from "~/lib/passkey-answers.server";
import { type FactorAnswer, type SignerFactor } from "~/signer/protocol";
import { challengeOf, passkeyId, type Statement } from "~/signer/statement.server";
import { getDb } from "~db/connection.server";
import { type FactorRow, listFactors } from "~db/repositories/second-factors.server";
import { inTransaction } from "~db/transaction.server";
import { askForFactors, askForState, offerPasskey, removeFactor, signerPlace } from "./signer-client.server";

const MINUTE = 60_000;
const CODE = "signer.factor";

/** Turns the refusal of a factor into an error for the person. `field` is the field in which a code was typed. Throws every other error again. */
export function explainRefusal(error: unknown, field: string | null = null): never {
  if (!(error instanceof CaError)) throw error;
  if (error.code === "signer-factor" || error.code === "signer-refused")
    throw new PortalError(error.message, { code: CODE, ...(field !== null && { field }) });
  throw new PortalError(error.message, { code: "signer.unavailable", status: 503 });
}

/** A statement without the time at which its person was asked. That is a whole minute, so that nothing needs to be kept between two requests. */
type Asked = Omit<Statement, "askedAt">;

const minuteOf = (time: number): string => new Date(Math.floor(time / MINUTE) * MINUTE).toISOString();

/** Returns what a browser needs to confirm a statement with one of these passkeys. The device checks who uses it. */
export async function passkeyOptions(
  asked: Asked,
  passkeys: readonly { id: string; transports?: string | null }[],
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const challenge = challengeOf({ ...asked, askedAt: minuteOf(now.getTime()) });
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: CHALLENGE_MINUTES * MINUTE,
    allowCredentials: passkeys.map(({ id, transports }) => ({
      id,
      transports: knownTransports((transports ?? "").split(",")),
    })),
    userVerification: "required",
  });
}

/** Returns when the person was asked whose passkey has given this answer, or for a code now, as an ISO timestamp. */
export function whenAsked(asked: Asked, answer: FactorAnswer, now: Date): string {
  const latest = minuteOf(now.getTime());
  if ("code" in answer) return now.toISOString();
  const challenge = readUse(answer.passkey)?.client.challenge;
  const times = Array.from({ length: CHALLENGE_MINUTES + 1 }, (_, ago) => minuteOf(now.getTime() - ago * MINUTE));
  return times.find((askedAt) => challengeOf({ ...asked, askedAt }) === challenge) ?? latest;
}

const listPasskeys = async (userId: number): Promise<FactorRow[]> =>
  (await listFactors(getDb(), userId)).filter(({ kind }) => kind === "passkey");

/** Returns the factors of a user that the signer accepts. Throws a PortalError (503) when it cannot be reached. */
export async function acceptedFactorsOf({ username }: Pick<SessionUser, "username">): Promise<SignerFactor[]> {
  const all = await askForFactors().catch((error: unknown) => explainRefusal(error));
  return all.filter(({ person, state }) => person === username && state === "accepted");
}

/** Returns the passkeys among factors, as `passkeyOptions` takes them. */
export const passkeysAmong = (factors: readonly SignerFactor[]) =>
  factors.flatMap(({ credential }) => (credential === null ? [] : [{ id: credential }]));

/** Throws a PortalError (404) when the portal uses no signer. */
export function requireSigner(): void {
  if (!getEnv().signerWay) throw notFound();
}

/** Returns what the page of the signer shows: its state, the factors of all persons, and which of the user's own passkeys can be offered. */
export async function getSignerPage(user: SessionUser) {
  requireSigner();
  const state = await askForState().catch((error: unknown) => explainRefusal(error));
  const factors = await askForFactors().catch((error: unknown) => explainRefusal(error));
  const mayGrant = may(user, "approve-orders") && user.impersonator === null && user.apiClient === null;
  const known = new Set(factors.map(({ credential }) => credential));
  const own = mayGrant ? await listPasskeys(user.id) : [];
  return {
    place: signerPlace(),
    needsGrants: state.needsGrants,
    ceiling: state.ceiling,
    journal: state.journal,
    issuers: state.issuers.map(({ name, problem, signed }) => ({ name, problem, ...signed })),
    mayGrant,
    username: user.username,
    factors: factors.map(({ credential: _, ...factor }) => factor),
    hasPasskey: own.length > 0,
    offerable: own.filter(({ credentialId }) => !known.has(credentialId)).map(({ id, name }) => ({ id, name })),
  };
}

async function requireOffer(user: SessionUser, id: number): Promise<{ passkey: FactorRow; asked: Asked }> {
  requireSigner();
  await requireTask(getDb(), user.actor, "approve-orders");
  const passkey = (await listPasskeys(user.id)).find((one) => one.id === id);
  if (!passkey || user.impersonator !== null) throw notFound();
  const { credentialId, publicKey } = passkey;
  const about = [passkeyId(user.username, credentialId ?? "", publicKey ?? "")];
  return { passkey, asked: { purpose: "offer", person: user.username, about } };
}

/** Returns what the browser needs to offer one of the user's own passkeys to the signer. Throws a PortalError (404) for another one. */
export async function startOffer(user: SessionUser, id: number, now = new Date()) {
  const { passkey, asked } = await requireOffer(user, id);
  return passkeyOptions(asked, [{ id: passkey.credentialId ?? "", transports: passkey.transports }], now);
}

/**
 * Offers one of the user's own passkeys to the signer. It counts when an operator of the signer has accepted it. Returns its id there, which
 * its person reads out to them. Throws a PortalError when the passkey does not count or is known already.
 */
export async function offerOwnPasskey(
  user: SessionUser,
  id: number,
  answer: string,
  now = new Date(),
): Promise<string> {
  const { passkey, asked } = await requireOffer(user, id);
  const { credentialId, publicKey, name } = passkey;
  const offer = {
    person: user.username,
    name,
    credential: credentialId ?? "",
    publicKey: publicKey ?? "",
    askedAt: whenAsked(asked, { passkey: answer }, now),
    answer: { passkey: answer },
  };
  const factor = await offerPasskey(offer).catch((error: unknown) => explainRefusal(error));
  await record(user, "signer.passkey-offered", `Offered the passkey ${factor} to the signer.`, factor, now);
  return factor;
}

const record = ({ actor, id: userId }: SessionUser, event: string, message: string, reference: string, now: Date) =>
  inTransaction((trx) => recordAudit(trx, { actor, event, message, userId, reference }, now));

/** Returns a passkey or app of any person at the signer. Throws a PortalError (404) when there is none with this id. */
export async function requireSignerFactor(user: SessionUser, id: string): Promise<SignerFactor> {
  requireSigner();
  await requireTask(getDb(), user.actor, "approve-orders");
  const factors = await askForFactors().catch((error: unknown) => explainRefusal(error));
  return factors.find((factor) => factor.id === id) ?? Promise.reject(notFound());
}

/** Removes a passkey or app of any person at the signer: taking a right away needs nobody's consent. */
export async function removeSignerFactor(user: SessionUser, id: string, now = new Date()): Promise<void> {
  const { person, kind } = await requireSignerFactor(user, id);
  await removeFactor(id, { by: user.username }).catch((error: unknown) => explainRefusal(error));
  await record(user, "signer.factor-removed", `Removed the ${kind} ${id} of ${person} from the signer.`, id, now);
}
