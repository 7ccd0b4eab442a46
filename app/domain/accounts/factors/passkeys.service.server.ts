import { createHash } from "node:crypto";
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { consumeTry } from "~/domain/limits/tries.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import {
  type ClientData,
  isOwnAnswer,
  knownTransports,
  readAddition,
  readUse,
  relyingParty,
} from "~/lib/passkey-answers.server";
import { ALGORITHMS, authenticatorDataOf, checkAddition, checkUse, isCopy } from "~/lib/passkey-checks.server";
import { getDb } from "~db/connection.server";
import { type FactorRow, findPasskey, listFactors, storePasskeyUse } from "~db/repositories/second-factors.server";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "../session-user";
import { tellAboutFactors } from "./factor-mails.server";
import { CHALLENGE_MINUTES } from "./factors.policy";
import { addFactor, requireFactorChange, requireRoomFor } from "./factors.service.server";
import { consumeChallenge, issueChallenge, sessionHolder } from "./passkey-challenges.server";
import { giveBackFactorTry, type Prover, refuseFactor } from "./prove.service.server";
import { type FactorRefusal } from "./refusals";
import { noteProof } from "./step-up.server";

/**
 * Returns the handle under which an authenticator keeps the passkeys of an account. It is always the same, so that a new passkey replaces
 * the one that the same authenticator has for the account, and it says nothing about the person.
 */
const handleOf = (userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash("sha256").update(`passkeys ${relyingParty().rpID} ${userId}`).digest());

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));

const timeout = CHALLENGE_MINUTES * 60_000;

/** Returns the error for a form without a field for the answer. */
const refuse = (prover: Prover, reason: FactorRefusal) => refuseFactor(prover, reason, null);

const proverOf = ({ id, actor }: SessionUser): Prover => ({ userId: id, actor });

const listPasskeys = async (userId: number) =>
  (await listFactors(getDb(), userId)).filter(({ kind }) => kind === "passkey");

const credentialOf = ({ credentialId, transports }: FactorRow) => ({
  id: credentialId ?? "",
  transports: knownTransports((transports ?? "").split(",")),
});

/**
 * Returns what the browser needs to create a passkey. Throws what `requireFactorChange` throws, and a PortalError when the account has ten
 * factors or another factor has the name already, before the authenticator stores a passkey for nothing.
 */
export async function startPasskeyAdd(
  user: SessionUser,
  name?: string,
  now = new Date(),
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await requireFactorChange(user, now);
  await requireRoomFor(user.id, name);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const challenge = await issueChallenge("passkey-add", proverOf(user), sessionHolder(user), now);
  return generateRegistrationOptions({
    rpName: getConfig().branding.name,
    rpID: relyingParty().rpID,
    userID: handleOf(user.id),
    userName: user.username,
    userDisplayName: `${user.firstName} ${user.lastName}`.trim(),
    challenge: bytesOf(challenge),
    timeout,
    attestationType: "none",
    excludeCredentials: (await listPasskeys(user.id)).map(credentialOf),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Adds a passkey. Returns the recovery codes when they were made now, otherwise null. Throws a PortalError when the answer
 * is not accepted, and what `addFactor` and `requireFactorChange` throw.
 *
 * @param given.answer What `startRegistration` of `@simplewebauthn/browser` returned, as JSON.
 */
export async function addPasskey(
  user: SessionUser,
  { answer: text, name }: { answer: string; name: string },
  now = new Date(),
): Promise<string[] | null> {
  await requireFactorChange(user, now);
  await requireRoomFor(user.id, name);
  await consumeTry("factor-account", user.id);
  const prover = proverOf(user);
  const read = readAddition(text);
  if (!read) throw await refuse(prover, "malformed");
  const { answer, client } = read;
  const problem = await consumeChallenge("passkey-add", prover, sessionHolder(user), client.challenge, now);
  if (problem) throw await refuse(prover, problem);
  await requireOwnAnswer(prover, client, await authenticatorDataOf(answer));
  const passkey = await checkAddition(answer, client.challenge);
  if (!passkey) throw await refuse(prover, "invalid");
  if (await findPasskey(getDb(), passkey.credentialId)) throw await refuse(prover, "known");
  await giveBackFactorTry(user.id);
  return addFactor(user, { kind: "passkey", name, ...passkey }, now);
}

/** Throws a PortalError when the answer was made for a page of another site, or cannot be read. */
async function requireOwnAnswer(prover: Prover, client: ClientData, authenticatorData: Uint8Array | null) {
  if (!authenticatorData) throw await refuse(prover, "malformed");
  if (!isOwnAnswer(client, authenticatorData)) throw await refuse(prover, "other-site");
}

/**
 * Returns what the browser needs to use a passkey of the account. Throws a PortalError when it has none.
 *
 * @param holder The session or waiting login in which the passkey is used, such as `session` with its id.
 */
export async function startPasskeyUse(
  prover: Prover,
  holder: string,
  now = new Date(),
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await listPasskeys(prover.userId);
  if (passkeys.length === 0)
    throw new PortalError("Your account has no passkey. Please use a code.", { code: "factor.refused" });
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: bytesOf(await issueChallenge("passkey-use", prover, holder, now)),
    timeout,
    allowCredentials: passkeys.map(credentialOf),
    userVerification: "preferred",
  });
}

/** Tells the owner that a passkey may have been copied. Repeated tries with the same copy send no further message. */
const tellAboutCopy = ({ id, userId, name, counter }: FactorRow, now: Date) =>
  inTransaction((trx) => {
    const told = {
      key: `copy-${id}-${counter ?? 0}`,
      what: "A passkey was refused",
      detail: `${name} may be a copy.`,
      advice:
        "Its counter did not grow, so somebody may have copied it. Please log in with another factor and remove this passkey, and contact us.",
    };
    return tellAboutFactors(trx, userId, told, now);
  });

/**
 * Checks the answer of a passkey and records its use. Returns `passkey`. Throws a PortalError when the answer is not accepted, and a
 * PortalError (429) after too many tries. Must not be called inside a transaction.
 *
 * @param holder The same as for `startPasskeyUse`.
 * @param text What `startAuthentication` of `@simplewebauthn/browser` returned, as JSON.
 */
export async function proveByPasskey(
  prover: Prover,
  holder: string,
  text: string,
  now = new Date(),
): Promise<"passkey"> {
  await consumeTry("factor-account", prover.userId);
  const read = readUse(text);
  if (!read) throw await refuse(prover, "malformed");
  const { answer, client } = read;
  const problem = await consumeChallenge("passkey-use", prover, holder, client.challenge, now);
  if (problem) throw await refuse(prover, problem);
  await requireOwnAnswer(prover, client, bytesOf(answer.response.authenticatorData));
  const passkey = await findPasskey(getDb(), answer.id);
  if (passkey?.userId !== prover.userId) throw await refuse(prover, "unknown");
  const counter = await checkUse(answer, passkey, client.challenge);
  if (counter === null) throw await refuse(prover, "invalid");
  const before = passkey.counter ?? 0;
  if (isCopy(before, counter)) {
    await tellAboutCopy(passkey, now);
    throw await refuse(prover, "copy");
  }
  const isStored = await inTransaction((trx) => storePasskeyUse(trx, passkey.id, { before, counter }, now));
  if (!isStored) throw await refuse(prover, "at-once");
  await giveBackFactorTry(prover.userId);
  return "passkey";
}

/** Returns what the browser needs to confirm with a passkey who is there. Throws what `startPasskeyUse` throws. */
export const startConfirmByPasskey = (user: SessionUser): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  startPasskeyUse(proverOf(user), sessionHolder(user));

/** Checks the answer of a passkey, and records the proof in the session. Throws what `proveByPasskey` throws. */
export async function confirmByPasskey(user: SessionUser, answer: string, now = new Date()): Promise<void> {
  await noteProof(user, await proveByPasskey(proverOf(user), sessionHolder(user), answer, now), now);
}
