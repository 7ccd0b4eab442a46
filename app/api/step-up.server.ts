import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { hasFreshProof, STEP_UP } from "~/domain/accounts/factors/step-up.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { isPortalError, PortalError } from "~/lib/errors";

/** The path of the call with which a program proves who uses it. */
export const CONFIRM_PATH = "token/confirm";

const MISSING = `Please confirm with POST ${CONFIRM_PATH} who you are, and make this call again within ${PROOF_MINUTES} minutes.`;

const FOR_PEOPLE = "Only a person may do this, not an API client.";

/**
 * Throws a PortalError (403, `account.step-up`) when the program has not proved with its access token within ten minutes who uses it, as
 * for pages. An administrator who acts as a user is not asked. An API client cannot prove it (403, `client.person-only`).
 */
export async function requireCallProof(user: SessionUser): Promise<void> {
  if (user.apiClient) throw new PortalError(FOR_PEOPLE, { code: "client.person-only", status: 403 });
  if (!user.impersonator && !(await hasFreshProof(user)))
    throw new PortalError(MISSING, { code: STEP_UP, status: 403 });
}

/** Returns the error of a call, which says how a program confirms when a use case asks for a fresh proof. */
export const forPrograms = (error: unknown): unknown =>
  isPortalError(error) && error.code === STEP_UP ? new PortalError(MISSING, { code: STEP_UP, status: 403 }) : error;

/** What the description of a call that needs a fresh proof says. */
export const PROOF_NOTE = `Only within ${PROOF_MINUTES} minutes after the token was issued or \`POST ${CONFIRM_PATH}\` was made; otherwise the answer is 403 with \`${STEP_UP}\`.`;
