import { sha256Hex } from "~/ca/thumbprint.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { askForStandingGrants, sendStandingGrant } from "~/domain/authorities/signer-client.server";
import { findSignerState } from "~/domain/authorities/signer-notice.server";
import {
  acceptedFactorsOf,
  explainRefusal,
  passkeyOptions,
  passkeysAmong,
  whenAsked,
} from "~/domain/authorities/signer-people.service.server";
import { formatDateTime } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { type FactorAnswer, type SignerStandingGrant, type StandingScope } from "~/signer/protocol";
import { scopeText, standingStatement } from "~/signer/statement.server";
import { getDb } from "~db/connection.server";
import {
  findStanding,
  listStanding,
  lockStanding,
  type NamedStandingRow,
} from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { isGranting } from "../issuing/granting.service.server";
import { ownOrder } from "../queue/four-eyes.server";
import { whyNotDecideStanding } from "./decisions.service.server";
import { scopeOf } from "./scope.server";
import { STANDING_SHOWN, standingName } from "./standing";
import { stateOfStanding } from "./standing.policy";
import { recordStanding } from "./telling.server";
import { withdrawAtSigner } from "./withdrawing.server";

const refusal = (message: string) => new PortalError(message, { code: "company.standing-grant" });

/** Returns what tells one scope from another. */
const fingerprintOf = (scope: StandingScope): string => sha256Hex(Buffer.from(scopeText(scope)));

const NOBODY = "Nobody has confirmed it to the signer: certificates within it wait.";
const OTHER_CA = "Another CA issues now than those for which it was confirmed.";

/** Returns why certificates within a standing authorisation wait for a confirmation at the signer, as a sentence, or null. */
function whyWaiting(
  grant: SignerStandingGrant | undefined,
  { issuers }: Pick<StandingScope, "issuers">,
): string | null {
  if (!grant) return NOBODY;
  return grant.problem ?? (issuers.every((name) => grant.scope.issuers.includes(name)) ? null : OTHER_CA);
}

/** What the signer knows of a standing authorisation. */
export interface StandingAtSigner {
  /** A sentence. */
  text: string;
  /** Whether certificates within it are signed without a further confirmation. */
  isConfirmed: boolean;
}

/** Returns the grants at the signer, why it cannot be asked as a sentence, or null where no confirmations of people are asked for. */
async function grantsNow(): Promise<SignerStandingGrant[] | string | null> {
  const state = await findSignerState();
  if (typeof state === "string") return state;
  if (!isGranting(state)) return null;
  return askForStandingGrants().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

/** Returns what the signer knows of a standing authorisation in force, or null where no confirmations of people are asked for. */
export async function findStandingAtSigner(row: NamedStandingRow, now: Date): Promise<StandingAtSigner | null> {
  if (stateOfStanding(row, now) !== "Active") return null;
  const grants = await grantsNow();
  if (grants === null) return null;
  if (typeof grants === "string") return { text: grants, isConfirmed: false };
  const grant = grants.find(({ scope }) => scope.authorisation === row.id);
  const why = whyWaiting(grant, await scopeOf(getDb(), row, now));
  if (!grant || why !== null) return { text: why ?? NOBODY, isConfirmed: false };
  const { person, kind, since, used, scope } = grant;
  const how = kind === "app" ? "authenticator app" : "passkey";
  const text = `${person} confirmed it with the ${how} at ${formatDateTime(since)} UTC. Certificates signed on that: ${used} of at most ${scope.certificates}.`;
  return { text, isConfirmed: true };
}

/**
 * Returns whether the signer signs nothing under a standing authorisation before an approver has confirmed that there. False when the signer
 * cannot be asked, because what waits for it is issued when it answers.
 *
 * @param issuer The name of the CA that is to sign, or null when there is none.
 */
export async function isUnconfirmed(authorisationId: number, issuer: string | null): Promise<boolean> {
  const grants = await grantsNow();
  if (grants === null || typeof grants === "string") return false;
  const grant = grants.find(({ scope }) => scope.authorisation === authorisationId);
  return whyWaiting(grant, { issuers: issuer === null ? [] : [issuer] }) !== null;
}

/** Returns the ids of the latest standing authorisations in force that wait for a confirmation at the signer. Empty when it cannot be asked. */
export async function listUnconfirmedStanding(now = new Date()): Promise<number[]> {
  const grants = await grantsNow();
  if (grants === null || typeof grants === "string") return [];
  const rows = (await listStanding(getDb(), STANDING_SHOWN)).filter((row) => stateOfStanding(row, now) === "Active");
  const waiting = [];
  for (const row of rows) {
    const grant = grants.find(({ scope }) => scope.authorisation === row.id);
    if (whyWaiting(grant, await scopeOf(getDb(), row, now)) !== null) waiting.push(row.id);
  }
  return waiting;
}

/** Returns a standing authorisation, and the error that says why this user cannot confirm it to the signer, or null. */
async function findGrantable(user: SessionUser, id: number, now: Date) {
  await requireTask(getDb(), user.actor, "approve-orders");
  const row = await findStanding(getDb(), id);
  if (!row) throw notFound();
  if (stateOfStanding(row, now) !== "Active")
    return { row, error: refusal("Only a standing authorisation that is in force is confirmed to the signer.") };
  const barrier = await whyNotDecideStanding(getDb(), "approve", row, user);
  return { row, error: barrier && ownOrder(barrier) };
}

/**
 * Returns what the user confirms to the signer for a standing authorisation, and with which factors. Throws a PortalError (403) without the
 * right to approve, and (404) when there is none with this id.
 */
export async function getStandingGrantPage(user: SessionUser, id: number, now = new Date()) {
  const { row, error } = await findGrantable(user, id, now);
  const state = await findSignerState();
  const isNeeded = error === null && isGranting(state);
  const scope = await scopeOf(getDb(), row, now);
  const own = isNeeded ? await acceptedFactorsOf(user) : [];
  return {
    id,
    company: row.company,
    isNeeded,
    /** Why this user cannot confirm it or the signer cannot be asked, or null. */
    problem: error?.message ?? (typeof state === "string" ? state : null),
    kinds: [...new Set(own.map(({ kind }) => kind))],
    atSigner: isNeeded ? await findStandingAtSigner(row, now) : null,
    scope,
    fingerprint: fingerprintOf(scope),
  };
}

/** A standing authorisation as a page has shown it. */
export interface ShownStanding {
  id: number;
  /** `fingerprint` of `getStandingGrantPage`. */
  fingerprint: string;
}

async function requireShown(user: SessionUser, { id, fingerprint }: ShownStanding, now: Date) {
  const { row, error } = await findGrantable(user, id, now);
  if (error) throw error;
  const scope = await scopeOf(getDb(), row, now);
  if (fingerprintOf(scope) === fingerprint) return { row, scope };
  throw refusal("What is confirmed has changed since you opened the page. Please look at it and confirm it again.");
}

/** Returns what the browser needs to confirm a standing authorisation with a passkey. Throws what `grantStandingToSigner` throws. */
export async function startStandingGrant(user: SessionUser, shown: ShownStanding, now = new Date()) {
  const { scope } = await requireShown(user, shown, now);
  const asked = standingStatement(user.username, scope);
  return passkeyOptions(asked, passkeysAmong(await acceptedFactorsOf(user)), now);
}

/**
 * Gives the signer the user's word for a standing authorisation. From then on the signer signs the certificates that fall under it.
 *
 * @throws PortalError for the field `code` when the code does not count, another one when the passkey does not count or the page is out of
 *   date, the authorisation is not in force or the four-eyes principle keeps the user from it, what `getStandingGrantPage` throws, and 503
 *   when the signer cannot be reached.
 */
export async function grantStandingToSigner(
  user: SessionUser,
  shown: ShownStanding,
  answer: FactorAnswer,
  now = new Date(),
): Promise<void> {
  const { row, scope } = await requireShown(user, shown, now);
  const asked = standingStatement(user.username, scope);
  const request = { person: user.username, askedAt: whenAsked(asked, answer, now), answer, scope };
  const field = "code" in answer ? "code" : null;
  const grant = await sendStandingGrant(request).catch((error: unknown) => explainRefusal(error, field));
  const how = "code" in answer ? "authenticator app" : "passkey";
  const message = `Confirmed ${standingName(row.id)} of ${row.company} to the signer with the ${how}, for ${scope.certificates} certificates at most; grant ${grant}.`;
  const ended = await inTransaction(async (trx) => {
    await recordStanding(trx, row, { actor: user.actor, event: "company.standing-granted", message }, now);
    return (await lockStanding(trx, row.id))?.endedBy ?? null;
  });
  if (ended !== null) await withdrawAtSigner(row.id, ended); // it ended while the signer took the grant
}
