import { LOGIN_MESSAGES } from "~/domain/accounts/login.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { type ActingBy, issueAccessToken, type NewHolder } from "~/domain/accounts/tokens/api-tokens.service.server";
import { PortalError } from "~/lib/errors";

/** The outcomes of a login (API-01), in the order of their numbers. An answer has both, such as `0:Success`. */
export const RESULTS = [
  "Success",
  "PasswordAboutToExpire",
  "PasswordExpired",
  "InvalidUsername",
  "InvalidPassword",
  "AccountDisabled",
  "AccountLocked",
] as const;
export type Result = (typeof RESULTS)[number];

export const resultOf = (name: Result) => `${RESULTS.indexOf(name)}:${name}`;

export const isResult = (code: string): code is Result => (RESULTS as readonly string[]).includes(code);

export const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };

const rightsOf = ({ isApplicant, isAdmin }: SessionUser) =>
  [isApplicant && "Applicant", isAdmin && "Admin"].filter(Boolean).join(",");

const AGES = { fresh: "Success", aboutToExpire: "PasswordAboutToExpire", expired: "PasswordExpired" } as const;

/**
 * Issues an access token. Returns it with its user and the outcome of the login. Throws a PortalError (`AccountDisabled`) when the account
 * is disabled or its sessions have ended in the meantime.
 */
export async function grantToken(holder: NewHolder, by?: ActingBy) {
  const user = await findSessionUser(holder.owner, holder.impersonator);
  if (!user) throw new PortalError(LOGIN_MESSAGES.AccountDisabled, { code: "AccountDisabled" });
  return {
    user,
    result: resultOf(user.impersonator ? "Success" : AGES[user.passwordAge]),
    access_token: await issueAccessToken(holder, by),
    token_type: "bearer" as const,
    userId: user.id,
    username: user.username,
    rights: rightsOf(user),
  };
}
