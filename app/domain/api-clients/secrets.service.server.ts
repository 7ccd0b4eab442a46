import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { notFound } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type ApiClientRow, endSecrets, listSecrets, updateApiClient } from "~db/repositories/api-clients.server";
import { inTransaction } from "~db/transaction.server";
import { isAnsweredFor, isValidSecret } from "./client-state.policy";
import { type Overlap, OVERLAPS } from "./forms";
import {
  makeSecret,
  named,
  notManageable,
  requireClient,
  requireManager,
  requireUnrevoked,
  type ShownSecret,
} from "./management.server";
import { type ClientKind, isWriting, readScopes } from "./scopes.policy";

const TWO_SECRETS = "The client has two valid secrets. End one of them first.";
const OF_ANOTHER =
  "This client writes as staff: only whoever answers for it makes new secrets. Revoke it and make another one.";

/** Throws a PortalError when a new secret would give one person alone what two have approved for another. */
function requireApproved({ id }: SessionUser, { companyId, responsibleId, scopes }: ApiClientRow): void {
  const writesAsStaff = companyId === null && readScopes(scopes).some(isWriting);
  if (writesAsStaff && responsibleId !== id && fourEyes() === "strict") throw notManageable(OF_ANOTHER);
}

/**
 * Gives a client a new secret. Whoever sees it answers for the client from then on. The other secret stays valid as `overlap` says, so that
 * no request fails meanwhile. When nobody answered for the client, its other secrets end at once, because a former owner may know them.
 * Throws a PortalError when the client has two valid secrets, or a newer one than `newest`, and those of `changeApiClient`.
 */
export async function addSecret(
  user: SessionUser,
  kind: ClientKind,
  id: number,
  { newest, overlap }: { newest: number; overlap: Overlap },
  now = new Date(),
): Promise<ShownSecret> {
  return inTransaction(async (trx) => {
    await requireManager(trx, user, kind, now);
    const client = await requireClient(trx, user, kind, id);
    requireUnrevoked(client);
    requireApproved(user, client);
    const all = await listSecrets(trx, [id]);
    if (all.at(-1)?.id !== newest)
      throw notManageable("The client got a new secret meanwhile. It was shown when it was made.");
    const valid = all.filter((secret) => isValidSecret(secret, now));
    const hours = isAnsweredFor(client) ? OVERLAPS[overlap] : 0;
    if (valid.length > 1 && hours !== 0) throw notManageable(TWO_SECRETS);
    if (hours !== null) {
      const endsAt = new Date(now.getTime() + hours * 3_600_000);
      await endSecrets(
        trx,
        valid.map((secret) => secret.id),
        endsAt,
      );
    }
    await updateApiClient(trx, id, { responsibleId: user.id });
    const others = hours === null ? "stay valid until they are ended" : hours === 0 ? "ended" : `end in ${hours} hours`;
    const message = `Made a new secret for the API client ${named(client)}. Its other secrets ${others}.`;
    await recordAudit(trx, { actor: user.actor, event: "api-client.secret-added", message, userId: user.id }, now);
    return { id, clientId: client.clientId, secret: await makeSecret(trx, id, user, now), isRequested: false };
  });
}

/** Ends a secret of a client and the tokens made with it. Throws a PortalError (403, 404) as `changeApiClient` does. */
export async function endSecret(
  user: SessionUser,
  kind: ClientKind,
  { id, secretId }: { id: number; secretId: number },
  now = new Date(),
): Promise<void> {
  await inTransaction(async (trx) => {
    await requireManager(trx, user, kind, now);
    const client = await requireClient(trx, user, kind, id);
    const secret = (await listSecrets(trx, [id])).find((one) => one.id === secretId);
    if (!secret) throw notFound();
    if (!isValidSecret(secret, now)) throw notManageable("This secret has ended already.");
    await endSecrets(trx, [secretId], now);
    const message = `Ended the secret ${secretId} of the API client ${named(client)}.`;
    await recordAudit(trx, { actor: user.actor, event: "api-client.secret-ended", message, userId: user.id }, now);
  });
}
