import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { readPromotionCode, withdrawUnusedCode } from "~db/repositories/promotion-codes.server";
import { inTransaction } from "~db/transaction.server";
import { codeState, whyNotWithdraw } from "./promotion-code-state.policy";

/**
 * Throws a PortalError (404) when there is no such code, or a PortalError for the field `code` that says why the code cannot be withdrawn
 * now.
 */
export async function requireWithdrawable(code: string, now = new Date(), db: DbOrTrx = getDb()): Promise<void> {
  const row = await readPromotionCode(db, code);
  if (!row) throw notFound();
  const barrier = whyNotWithdraw(codeState(row, now));
  if (barrier) throw new PortalError(barrier, { code: "promotion-code.withdraw", field: "code" });
}

/** Withdraws an unused code for good. Throws the same errors as `requireWithdrawable`. */
export async function withdrawPromotionCode(code: string, actor: Actor, now = new Date()): Promise<void> {
  await inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-promotion-codes");
    if (!(await withdrawUnusedCode(trx, code, now))) return requireWithdrawable(code, now, trx);
    const entry = {
      actor,
      event: "promotion-code.withdrawn",
      message: "The promotion code was withdrawn.",
      reference: code,
    };
    await recordAudit(trx, entry, now);
  });
}
