import { createHash } from "node:crypto";
import { z } from "zod";
import { checkFile, checkRecord } from "~/domain/companies/domains/check.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import {
  beginAcmeTry,
  changeAcmeAuthorization,
  findAcmeAuthorization,
  type OwnedAuthorization,
} from "~db/repositories/acme-orders.server";
import { type AcmeChallengeType } from "~db/tables";
import { challengeTypesOf, statusOfAuthorization, TRY_MS } from "./authorizations.policy";
import { readObject } from "./jws.server";
import { identifierOf } from "./names.server";
import { AcmeProblem, problemDocument } from "./problem";
import { acmeUrls } from "./urls.server";

/** Returns an authorization of the account. Throws an AcmeProblem `unauthorized` when it has none with this id. */
async function requireAuthorization({ id: accountId }: BoundAccount, id: number): Promise<OwnedAuthorization> {
  const row = await findAcmeAuthorization(getDb(), id);
  if (row?.accountId !== accountId) throw new AcmeProblem("unauthorized", "This account has no such authorization.");
  return row;
}

const tokenOf = (row: OwnedAuthorization, type: AcmeChallengeType) =>
  type === "http-01" ? row.httpToken : row.dnsToken;

/** Returns the status of a challenge (RFC 8555 §7.1.6). */
function statusOfChallenge(row: OwnedAuthorization, type: AcmeChallengeType) {
  if (row.triedBy !== type) return "pending";
  if (row.problem !== null) return "invalid";
  return row.validatedAt === null ? "processing" : "valid";
}

/** Returns a challenge as clients see it (RFC 8555 §8). */
function challengeView(row: OwnedAuthorization, type: AcmeChallengeType) {
  const status = statusOfChallenge(row, type);
  return {
    type,
    url: acmeUrls.challenge(row.id, type),
    status,
    token: tokenOf(row, type),
    ...(status === "valid" && { validated: row.validatedAt }),
    ...(status === "invalid" && { error: problemDocument("incorrectResponse", row.problem ?? "") }),
  };
}

/** Returns an authorization as clients see it (RFC 8555 §7.1.4). A name that the company has confirmed needs no challenge. */
function authorizationView(row: OwnedAuthorization, now: Date) {
  const isConfirmed = row.validatedAt !== null && row.provedBy === null;
  const tried = challengeTypesOf(row).filter((type) => row.triedBy === null || row.triedBy === type);
  return {
    identifier: identifierOf(row.name),
    status: statusOfAuthorization(row, row.expiresAt, now),
    expires: row.expiresAt,
    challenges: isConfirmed ? [] : tried.map((type) => challengeView(row, type)),
    ...(row.isWildcard && { wildcard: true }),
  };
}

const changeSchema = z.object({ status: z.string() }).passthrough();

/**
 * Returns an authorization of the account, and deactivates it before when the client asks for that (RFC 8555 §7.5).
 *
 * @param payload The payload of the request; empty to read it.
 * @throws AcmeProblem `unauthorized` when the account has no such authorization, `malformed` for another status.
 */
export async function readOrDeactivateAuthorization(
  payload: string,
  account: BoundAccount,
  id: number,
  now = new Date(),
) {
  const row = await requireAuthorization(account, id);
  if (payload === "") return authorizationView(row, now);
  if (readObject(payload, changeSchema, "The request").status !== "deactivated")
    throw new AcmeProblem("malformed", "The status can only become deactivated.");
  await changeAcmeAuthorization(getDb(), id, { deactivatedAt: now });
  return authorizationView({ ...row, deactivatedAt: now.toISOString() }, now);
}

/** Looks for what the client shows. Returns why it is not there, as a sentence, or null when it is. */
async function tryChallenge(row: OwnedAuthorization, type: AcmeChallengeType, thumbprint: string) {
  const answer = `${tokenOf(row, type)}.${thumbprint}`;
  const found =
    type === "http-01"
      ? await checkFile(row.name, `/.well-known/acme-challenge/${row.httpToken}`, answer)
      : await checkRecord(`_acme-challenge.${row.name}`, createHash("sha256").update(answer).digest("base64url"));
  return found?.text ?? null;
}

/**
 * Returns a challenge. Unless the payload is empty, the client says that it can be met (RFC 8555 §7.5.1): then the portal looks, once, and
 * the answer has the outcome. The same servers are asked, and private addresses and redirects to other hosts refused, as for the domains of
 * a company.
 *
 * @throws AcmeProblem `unauthorized` when the account has no such challenge, and PortalError (429) after too many checks by the company.
 */
export async function readOrTryChallenge(
  payload: string,
  account: BoundAccount,
  { id, type }: { id: number; type: AcmeChallengeType },
  now = new Date(),
) {
  const row = await requireAuthorization(account, id);
  if (!challengeTypesOf(row).includes(type) || (row.validatedAt !== null && row.provedBy === null))
    throw new AcmeProblem("unauthorized", "This account has no such challenge.");
  const isAsked = payload !== "" && statusOfAuthorization(row, row.expiresAt, now) === "pending";
  if (isAsked) {
    readObject(payload, z.object({}).passthrough(), "The request");
    await consumeTry("domain-check-company", account.companyId);
    if (await beginAcmeTry(getDb(), id, type, now, new Date(now.getTime() - TRY_MS))) {
      const problem = await tryChallenge(row, type, account.thumbprint);
      const change = problem === null ? { validatedAt: new Date(), provedBy: type } : { problem };
      await changeAcmeAuthorization(getDb(), id, change);
    }
  }
  const current = isAsked ? await requireAuthorization(account, id) : row;
  return { challenge: challengeView(current, type), authorization: acmeUrls.authorization(id) };
}
