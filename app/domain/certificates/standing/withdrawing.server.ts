import { CaError } from "~/ca/errors.server";
import { askForStandingGrants, withdrawStandingGrant } from "~/domain/authorities/signer-client.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findStanding } from "~db/repositories/standing-authorisations.server";
import { type StandingEnd } from "~db/tables";

/** Withdraws the grant of a standing authorisation. Returns whether the signer had one. Throws a CaError when it cannot be reached. */
const withdraw = (id: number, why: string): Promise<boolean> =>
  withdrawStandingGrant(id, { by: why }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CaError && error.code === "signer-not-found") return false;
      throw error;
    },
  );

/**
 * Withdraws the grant of a standing authorisation that has ended, where people confirm to the signer. A failure is logged and does not throw:
 * `withdrawEndedGrants` tries again.
 */
export async function withdrawAtSigner(id: number, by: StandingEnd): Promise<void> {
  const { signerWay, signer } = getEnv();
  if (!signerWay || !signer.needsGrants) return;
  await withdraw(id, `ended by ${by}`).catch((error: unknown) => logError(error));
}

/**
 * Withdraws the grants that the signer has of standing authorisations that are not in force, for example because it was away when they ended.
 * Returns how many. Throws a CaError when the signer cannot be reached.
 */
export async function withdrawEndedGrants(): Promise<number> {
  if (!getEnv().signerWay) return 0;
  let count = 0;
  for (const { scope } of await askForStandingGrants()) {
    const row = await findStanding(getDb(), scope.authorisation);
    if (row && row.approvedAt !== null && row.endedAt === null) continue;
    if (await withdraw(scope.authorisation, "not in force")) count += 1;
  }
  return count;
}
