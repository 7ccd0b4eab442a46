import { expect, test } from "vitest";
import { PARENT_CIRCLE_MESSAGE } from "~/domain/codes/code-details.schema";
import { getDb, type Trx } from "~db/connection.server";
import { lockHead } from "~db/repositories/audit-chain.server";
import { findCode } from "~db/repositories/codes.server";
import { inTransaction } from "~db/transaction.server";
import { update } from "../support/code-details";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { usePortal } from "../support/portal";
import { errorsOf, signedInAs } from "../support/visitor";

usePortal();

/**
 * Starts all of `work`. None of it can commit before each transaction waits for a lock, at the latest that of the audit trail, which is the
 * last step.
 */
async function beforeAnyCommits<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
  let running: Promise<T[]> | undefined;
  await inTransaction(async (trx: Trx) => {
    await lockHead(trx);
    running = Promise.all(work.map((one) => one()));
    await untilOthersWait(work.length);
  });
  return running as Promise<T[]>;
}

test.each([2, 3])(
  "[COD-07] when %i codes become each other's direct parents at once, the change that would close the circle is refused",
  async (count) => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const codes = await Promise.all(Array.from({ length: count }, () => createCode(owner)));
    const parents = codes.map((_, index) => codes[(index + 1) % count]?.code ?? "");
    const answers = await beforeAnyCommits(
      codes.map(
        ({ id }, index) =>
          () =>
            update(visitor, id, { directParentId: parents[index] ?? "" }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect([answers.filter(({ status }) => status === 303).length, refused.length]).toEqual([count - 1, 1]);
    for (const answer of refused)
      expect((await errorsOf(answer)).errors).toEqual({ directParentId: PARENT_CIRCLE_MESSAGE });
    const stored = await Promise.all(codes.map(({ id }) => findCode(getDb(), id)));
    expect(stored.filter((code) => code?.directParent !== null)).toHaveLength(count - 1);
  },
);
