import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { type GroupRight } from "~/lib/single-sign-on-config";
import { type Trx } from "~db/connection.server";
import { findCustomer } from "~db/repositories/members.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { listGroupRights, listRightsOf, storeGroupRight, storeRight } from "~db/repositories/user-rights.server";
import { findUserById } from "~db/repositories/users.server";
import { tellingAbout } from "../administration/stopped-clients.server";
import { FACTOR_TOKENS } from "../factors/reset.server";
import { RIGHT_NAMES } from "../rights.policy";

/** The name under which the audit trail and the pages show what the groups of the identity provider decide. */
export const BY_GROUPS = "single sign-on";

/**
 * Grants the rights that the user's groups give now and withdraws those that only earlier groups gave. A right that was granted by hand
 * stays. Under the strict four-eyes principle, a member of a customer company gets no new right. Whoever loses every right that came from groups is logged out everywhere. Does so in the caller's transaction, which has locked the
 * account. Returns the name of the customer company that kept the user from a right, or null.
 *
 * @param actor The identity provider, with the client of the login.
 */
export async function followGroups(
  trx: Trx,
  userId: number,
  wanted: readonly GroupRight[],
  actor: Actor,
  now: Date,
): Promise<string | null> {
  const user = await findUserById(trx, userId);
  const granted = (await listRightsOf(trx, userId)).map(({ right }) => right);
  const held: GroupRight[] = [...granted, ...(user?.isAdmin ? (["admin"] as const) : [])];
  const before = await listGroupRights(trx, userId);
  const missing = wanted.filter((one) => !held.includes(one));
  const customer = missing.length > 0 && fourEyes() === "strict" ? await findCustomer(trx, [userId]) : null;
  if (customer !== null) {
    const names = missing.map((right) => RIGHT_NAMES[right]).join(", ");
    const message = `Did not grant what groups of the identity provider give (${names}): the account is a member of the customer ${customer}.`;
    await recordAudit(trx, { actor, event: "account.right-withheld", message, userId }, now);
  }
  for (const right of customer === null ? missing : []) {
    await storeRight(trx, userId, { right, isGranted: true }, BY_GROUPS, now);
    await storeGroupRight(trx, { userId, right, grantedAt: now });
    const message = `Granted the right ${RIGHT_NAMES[right]}, which a group of the identity provider gives.`;
    await recordAudit(trx, { actor, event: "account.right-granted", message, userId }, now);
  }
  for (const right of before.filter((one) => !wanted.includes(one))) {
    const account = await findUserById(trx, userId);
    const tell = account && (await tellingAbout(trx, `withdraw-${right}`, account, now));
    if (!(await storeRight(trx, userId, { right, isGranted: false }, BY_GROUPS, now))) continue;
    await tell?.(actor);
    const message = `Withdrew the right ${RIGHT_NAMES[right]}, which no group of the identity provider gives any more.`;
    await recordAudit(trx, { actor, event: "account.right-withdrawn", message, userId }, now);
  }
  if (before.length === 0 || wanted.length > 0) return customer;
  await endTokensOf(trx, userId, ["change-password", "change-email", "login-as-user", ...FACTOR_TOKENS], now);
  await endSessionsOf(trx, [userId], "groups", { now });
  const message = "Ended all sessions: no group of the identity provider gives a right any more.";
  await recordAudit(trx, { actor, event: "account.sessions-ended", message, userId }, now);
  return customer;
}
