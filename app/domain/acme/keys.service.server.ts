import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { standingName } from "~/domain/certificates/standing/standing";
import { stateOfStanding } from "~/domain/certificates/standing/standing.policy";
import { companyReference } from "~/domain/companies/company-reference";
import { requireMember } from "~/domain/companies/membership.server";
import { personName } from "~/domain/companies/people.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import {
  type AcmeKeyRow,
  type AnsweredAcmeKey,
  findAcmeKey,
  insertAcmeKey,
  listAcmeKeys,
  revokeAcmeKeyRow,
  setAcmeSecret,
} from "~db/repositories/acme-accounts.server";
import { lockCompany } from "~db/repositories/members.server";
import { findStanding, lockStanding } from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { isKeyAnsweredFor } from "./answering.policy";
import { linesUnder } from "./automating.server";
import { MAC_KEY_PLACEHOLDER } from "./client-lines";
import { MOST_ACME_KEYS, type ShownAcmeKey } from "./keys";
import { type AcmeKeyForm } from "./keys.schema";
import { newKeyId, newMacKey, sealMacKey } from "./secrets.server";
import { acmeUrls } from "./urls.server";

const refusal = (message: string) => new PortalError(message, { code: "acme.key" });

/** Returns how audit entries name a key. */
export const acmeKeyName = ({ description, keyId }: Pick<AcmeKeyRow, "description" | "keyId">): string =>
  `the ACME key “${description}” (${keyId})`;

/** Throws a PortalError (403) for an acting administrator. */
export const requireOwnAcmeKeys = (user: SessionUser): void => requireNoImpersonation(user, "ACME keys");

/** Begins a change of keys. Throws a PortalError (403) when the user is no owner, or an administrator acts as the user. */
async function requireKeyOwner(trx: Trx, user: SessionUser, now: Date): Promise<void> {
  requireOwnAcmeKeys(user);
  await lockCompany(trx, user.companyId, now);
  await requireMember(trx, user, user, "manage-company");
}

/** An ACME key as pages show it. Times are ISO timestamps. */
export interface AcmeKeyView {
  id: number;
  keyId: string;
  description: string;
  /** Paused when nobody answers for it, so that it can do nothing. */
  state: "Unused" | "Active" | "Paused" | "Revoked";
  /** The name of the person who made it and answers for it. */
  madeBy: string;
  madeAt: string;
  /** When its account was made. */
  boundAt: string | null;
  usedAt: string | null;
  revokedAt: string | null;
}

function stateOfKey(key: AnsweredAcmeKey): AcmeKeyView["state"] {
  if (key.revokedAt !== null) return "Revoked";
  if (!isKeyAnsweredFor(key)) return "Paused";
  return key.boundAt === null ? "Unused" : "Active";
}

const toView = (key: AnsweredAcmeKey): AcmeKeyView => {
  const { id, keyId, description, madeAt, boundAt, usedAt, revokedAt } = key;
  return {
    id,
    keyId,
    description,
    state: stateOfKey(key),
    madeBy: personName(key),
    madeAt,
    boundAt,
    usedAt,
    revokedAt,
  };
};

/** Returns a standing authorisation of the company in which the user works. Throws a PortalError (404) when it has no such one. */
async function requireStandingOf({ companyId }: SessionUser, id: number) {
  const standing = await findStanding(getDb(), id);
  if (standing?.companyId !== companyId) throw notFound();
  return standing;
}

/**
 * Returns the ACME keys of a standing authorisation, the latest first, whether the authorisation is in force, and the lines for the common
 * clients with one of its keys. Throws a PortalError (404) when the company has no such authorisation.
 *
 * @param chosen The id of the key in the lines. Without it, or when it cannot be used, they have the latest one that can.
 */
export async function getAcmeKeysPage(
  user: SessionUser,
  standingId: number,
  chosen: number | null = null,
  now = new Date(),
) {
  const standing = await requireStandingOf(user, standingId);
  const keys = (await listAcmeKeys(getDb(), standingId)).map(toView);
  const isActive = stateOfStanding(standing, now) === "Active";
  const usable = isActive ? keys.filter(({ state }) => state === "Unused" || state === "Active") : [];
  const key = usable.find(({ id }) => id === chosen) ?? usable[0];
  const directory = acmeUrls.directory();
  const shown = key && { keyId: key.keyId, secret: MAC_KEY_PLACEHOLDER, directory };
  const automate = shown ? { key: key.description, clients: await linesUnder(standing, shown) } : null;
  return { standingId, isActive, directory, keys, automate };
}

/** Returns the lines for the common clients with a key that was made just now. Throws what `getAcmeKeysPage` throws. */
export const linesWithNewKey = async (user: SessionUser, standingId: number, shown: ShownAcmeKey) =>
  linesUnder(await requireStandingOf(user, standingId), shown);

/**
 * Makes a key for one ACME account under a standing authorisation. The user answers for what the account orders. Throws a PortalError (403)
 * when the user may not manage the company, (404) when it has no such authorisation, and one when the authorisation is not in force or has
 * too many keys.
 */
export function makeAcmeKey(
  user: SessionUser,
  standingId: number,
  { description }: AcmeKeyForm,
  now = new Date(),
): Promise<ShownAcmeKey> {
  return inTransaction(async (trx) => {
    await requireKeyOwner(trx, user, now);
    await requireMember(trx, user, user, "place-orders");
    const standing = await lockStanding(trx, standingId);
    if (standing?.companyId !== user.companyId) throw notFound();
    if (stateOfStanding(standing, now) !== "Active")
      throw refusal("The standing authorisation is not in force, so nothing can be ordered with a key for it.");
    const open = (await listAcmeKeys(trx, standingId)).filter(({ revokedAt }) => revokedAt === null);
    if (open.length >= MOST_ACME_KEYS)
      throw refusal(`A standing authorisation has ${MOST_ACME_KEYS} ACME keys at most. Revoke one first.`);
    const keyId = newKeyId();
    const of = { companyId: user.companyId, authorisationId: standingId };
    const id = await insertAcmeKey(trx, { ...of, keyId, secret: "", description, madeBy: user.id, madeAt: now });
    const secret = newMacKey();
    await setAcmeSecret(trx, id, sealMacKey(secret, id));
    const message = `Made ${acmeKeyName({ description, keyId })} for ${standingName(standingId)}.`;
    const reference = companyReference(user.companyId);
    await recordAudit(trx, { actor: user.actor, event: "acme.key-made", message, userId: user.id, reference }, now);
    return { keyId, secret, directory: acmeUrls.directory() };
  });
}

/**
 * Revokes a key, and returns it. From then on, neither it nor its account can be used; certificates stay valid. Throws a PortalError (403)
 * when the user may not manage the company, (404) when the authorisation has no such key, and one when the key was revoked before.
 */
export async function revokeAcmeKey(
  user: SessionUser,
  { standingId, id }: { standingId: number; id: number },
  now = new Date(),
): Promise<Pick<AcmeKeyRow, "description">> {
  return inTransaction(async (trx) => {
    await requireKeyOwner(trx, user, now);
    const key = await findAcmeKey(trx, { id, companyId: user.companyId });
    if (key?.authorisationId !== standingId) throw notFound();
    if (!(await revokeAcmeKeyRow(trx, id, now))) throw refusal("This key was revoked already.");
    const message = `Revoked ${acmeKeyName(key)} for ${standingName(standingId)}.`;
    const reference = companyReference(user.companyId);
    await recordAudit(trx, { actor: user.actor, event: "acme.key-revoked", message, userId: user.id, reference }, now);
    return key;
  });
}
