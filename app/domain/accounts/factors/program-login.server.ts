import { PortalError } from "~/lib/errors";
import { type LoginOrigin } from "../login-origin";
import { finishLogin, type LoggedIn, login } from "../login.service.server";
import { actorOf, findPendingLogin, PENDING_ENDED } from "./pending-login.server";
import { proveByCode } from "./prove.service.server";

interface Given {
  name: string;
  password: string;
  /** A code of an authenticator app, or a recovery code. */
  otp?: string | undefined;
}

/** What a program is told when the account has a second factor and no code came. */
export const OTP_MISSING = "otp: This account has a second factor. Please send a code of its authenticator app.";

const refuse = (message: string, code: string) => new PortalError(message, { code });

/**
 * Logs a program in with user name or email, password and, for an account with a second factor, a code. Throws what `login` and
 * `proveByCode` throw, and a PortalError (`factor.missing`) without a code.
 */
export async function logInProgram(
  { name, password, otp }: Given,
  { origin, now = new Date() }: { origin: LoginOrigin; now?: Date },
): Promise<LoggedIn> {
  const begun = await login(name, password, { origin, now });
  if (!("pending" in begun)) return begun;
  if (!otp?.trim()) throw refuse(OTP_MISSING, "factor.missing");
  const pending = await findPendingLogin(begun.pending, now);
  if (!pending) throw refuse(PENDING_ENDED, "factor.ended");
  const prover = { userId: pending.user.id, actor: actorOf(pending.user, origin.client) };
  return finishLogin(pending, await proveByCode(prover, otp, now), { origin, now });
}
