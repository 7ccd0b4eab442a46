import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findCode } from "~db/repositories/codes.server";
import { deleteFollower, insertFollower, listFollowed } from "~db/repositories/entity-followers.server";
import { inTransaction } from "~db/transaction.server";
import { fullCode } from "../code-types";
import { maySearchCodes } from "../search.service.server";

/** How many entities one person can follow. */
export const MOST_FOLLOWED = 100;

const ACTING = "of which changes in the code register the user is told";

/**
 * Begins to tell a person of changes of the certificates of an entity. Does nothing when that is so already. Throws a PortalError (404) when
 * there is no such entity, and (403) when the person may not search the register.
 */
export async function followEntity(user: SessionUser, codeId: number, now = new Date()): Promise<void> {
  requireNoImpersonation(user, ACTING);
  if (!(await maySearchCodes(user)))
    throw new PortalError("Only those who may search the register can follow an entity.", {
      code: "account.right",
      status: 403,
    });
  await inTransaction(async (trx) => {
    const code = await findCode(trx, codeId);
    if (!code) throw notFound();
    const { id: userId, companyId } = user;
    if (!(await insertFollower(trx, { codeId, userId, companyId, followedAt: now }))) return;
    if ((await listFollowed(trx, userId)).length > MOST_FOLLOWED)
      throw new PortalError(
        `You can follow at most ${MOST_FOLLOWED} entities. Stop the messages about another one first.`,
        {
          code: "code.followed",
        },
      );
    const message = `Is told when the certificates of ${fullCode(code)} change.`;
    await recordAudit(trx, { actor: user.actor, event: "code.followed", message, userId, codeId }, now);
  });
}

/** Ends the messages to a person about an entity. Does nothing when there were none. Throws a PortalError (404) when there is no such entity. */
export async function unfollowEntity(user: SessionUser, codeId: number, now = new Date()): Promise<void> {
  requireNoImpersonation(user, ACTING);
  await inTransaction(async (trx) => {
    const code = await findCode(trx, codeId);
    if (!code) throw notFound();
    if (!(await deleteFollower(trx, user.id, codeId))) return;
    const message = `Is not told any more when the certificates of ${fullCode(code)} change.`;
    await recordAudit(trx, { actor: user.actor, event: "code.unfollowed", message, userId: user.id, codeId }, now);
  });
}

/** Returns the entities that a person follows, for a page. */
export const followedEntities = async ({ id }: SessionUser) =>
  (await listFollowed(getDb(), id)).map(({ codeType, code, subcode, ...entity }) => ({
    ...entity,
    fullCode: fullCode({ codeType, code, subcode }),
    href: certificatePaths.entity(entity.id),
  }));
