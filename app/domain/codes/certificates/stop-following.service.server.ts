import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { networkOf } from "~/lib/networks.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { deleteFollower, findFollower } from "~db/repositories/entity-followers.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { fullCode } from "../code-types";
import { followerOfToken } from "./stop-link.server";

/** Returns the number of the follower whose link was opened, or null. A link that is not ours counts against its network. */
async function openLink(token: string, client: Client): Promise<number | null> {
  const id = followerOfToken(token);
  if (id !== null) return id;
  noteDeadLink(client, "to stop messages about an entity");
  await consumeTry("authorise-address", networkOf(client.address));
  return null;
}

/**
 * Returns the entity that the reader of a message follows, as code and name, with null when the messages are stopped already. Returns null
 * when the link is not one of this portal. Throws a PortalError (429) when a network opened too many such links.
 */
export async function findFollowed(token: string, client: Client): Promise<{ entity: string | null } | null> {
  const id = await openLink(token, client);
  if (id === null) return null;
  const follower = await findFollower(getDb(), id);
  return { entity: follower && `${fullCode(follower)}, ${follower.entityName}` };
}

const actorOf = async (db: DbOrTrx, userId: number, client: Client) => ({
  id: null,
  name: (await findUserById(db, userId))?.email ?? "",
  client,
});

/**
 * Stops the messages by which this link came, with an audit entry. Using the link again changes nothing. Returns false when it is not a link
 * of this portal. Throws a PortalError (429) when a network opened too many such links.
 */
export async function stopFollowing(token: string, client: Client, now = new Date()): Promise<boolean> {
  const id = await openLink(token, client);
  if (id === null) return false;
  await inTransaction(async (trx) => {
    const follower = await findFollower(trx, id);
    if (!follower || !(await deleteFollower(trx, follower.userId, follower.codeId))) return;
    const { userId, codeId } = follower;
    const message = `Is not told any more when the certificates of ${fullCode(follower)} change, by the link in a message.`;
    const actor = await actorOf(trx, userId, client);
    await recordAudit(trx, { actor, event: "code.unfollowed", message, userId, codeId }, now);
  });
  return true;
}
