import { type AcmeAuthorizationRow } from "~db/repositories/acme-orders.server";
import { type AcmeChallengeType } from "~db/tables";

/** How long the try of a challenge can take, in milliseconds. Then it counts as broken off. */
export const TRY_MS = 60_000;

type AuthorizationStatus = "pending" | "valid" | "invalid" | "deactivated" | "expired";

/** Returns the status of an authorization (RFC 8555 §7.1.6). It ends with its order. */
export function statusOfAuthorization(
  { validatedAt, problem, deactivatedAt }: AcmeAuthorizationRow,
  expiresAt: string,
  now: Date,
): AuthorizationStatus {
  if (deactivatedAt !== null) return "deactivated";
  if (problem !== null) return "invalid";
  if (expiresAt <= now.toISOString()) return "expired";
  return validatedAt === null ? "pending" : "valid";
}

/** Returns the challenges that a name can meet. A file on one server does not prove the control of all hosts of a wildcard. */
export const challengeTypesOf = ({ isWildcard }: Pick<AcmeAuthorizationRow, "isWildcard">): AcmeChallengeType[] =>
  isWildcard ? ["dns-01"] : ["http-01", "dns-01"];
