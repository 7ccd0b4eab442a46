import { z } from "zod";
import { staleBefore } from "~/domain/accounts/sessions/sessions.policy";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { standingName } from "~/domain/certificates/standing/standing";
import { companyReference } from "~/domain/companies/company-reference";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { networkOf } from "~/lib/networks.server";
import { getDb, type Trx } from "~db/connection.server";
import {
  type BoundAccount,
  bindAcmeKey,
  changeAcmeAccountKey,
  deactivateAcmeAccount,
  findAcmeAccount,
  findAcmeAccountByKey,
  findAcmeKeyByName,
  insertAcmeAccount,
  noteAcmeKeyUse,
} from "~db/repositories/acme-accounts.server";
import { inTransaction } from "~db/transaction.server";
import { acmeAccountName } from "./acting.server";
import {
  type AcmeJwk,
  bindingKeyId,
  jwkOf,
  macPayload,
  readJwk,
  readJws,
  readObject,
  requireUrl,
  verifiedPayload,
} from "./jws.server";
import { acmeKeyName } from "./keys.service.server";
import { AcmeProblem } from "./problem";
import { macKeyOf } from "./secrets.server";
import { accountIdOf, acmeUrls } from "./urls.server";

/** Returns an account as clients see it (RFC 8555 §7.1.2). It has no contacts, because the portal keeps none. */
export const accountView = ({ id, deactivatedAt, revokedAt }: BoundAccount) => ({
  status: revokedAt !== null ? "revoked" : deactivatedAt !== null ? "deactivated" : "valid",
  termsOfServiceAgreed: true,
  orders: acmeUrls.orders(id),
});

/** Throws an AcmeProblem `unauthorized` for an account that cannot be used any more. */
function requireValid(account: BoundAccount): BoundAccount {
  if (account.revokedAt !== null)
    throw new AcmeProblem("unauthorized", "An owner of the company has revoked the key of this account.");
  if (account.deactivatedAt !== null) throw new AcmeProblem("unauthorized", "The account was deactivated.");
  return account;
}

/**
 * Returns the account that a client names by its address. Throws an AcmeProblem: `accountDoesNotExist`, or `unauthorized` when it cannot be
 * used any more.
 */
export async function requireAcmeAccount(url: string, now = new Date()): Promise<BoundAccount> {
  const id = accountIdOf(url);
  const account = id === null ? null : await findAcmeAccount(getDb(), id);
  if (!account) throw new AcmeProblem("accountDoesNotExist", "There is no account with this address.");
  requireValid(account);
  await noteAcmeKeyUse(getDb(), account.acmeKeyId, now, staleBefore(now));
  return account;
}

/** Returns who acts when an account changes itself. */
const actorOf = (account: BoundAccount, client: Client): Actor => ({
  id: account.madeBy,
  name: acmeAccountName(account),
  client,
});

const record = (
  trx: Trx,
  account: Pick<BoundAccount, "companyId" | "madeBy">,
  { actor, event, message }: { actor: Actor; event: `acme.account-${string}`; message: string },
  now: Date,
) =>
  recordAudit(
    trx,
    { actor, event, message, userId: account.madeBy, reference: companyReference(account.companyId) },
    now,
  );

const newAccountSchema = z
  .object({
    onlyReturnExisting: z.boolean().optional(),
    termsOfServiceAgreed: z.boolean().optional(),
    externalAccountBinding: z.unknown(),
  })
  .passthrough();

/** Counts a wrong binding for the network, and returns the error. It does not tell which keys there are. */
async function wrongBinding(
  client: Client,
  detail = "The key of externalAccountBinding is unknown, or its MAC is wrong.",
) {
  await consumeTry("acme-binding-address", networkOf(client.address));
  return new AcmeProblem("unauthorized", detail);
}

/** Returns the key that an external account binding proves (RFC 8555 §7.3.4). Throws an AcmeProblem. */
async function requireBinding(binding: unknown, { thumbprint }: AcmeJwk, client: Client) {
  if (binding === undefined || binding === null)
    throw new AcmeProblem(
      "externalAccountRequired",
      "An account needs an external account binding. Owners of a company make the key beside its standing authorisation.",
    );
  const read = readJws(binding);
  const key = await findAcmeKeyByName(getDb(), bindingKeyId(read, acmeUrls.newAccount()));
  const payload = key && (await macPayload(read, macKeyOf(key)));
  if (!key || payload === null) throw await wrongBinding(client);
  const bound = await readJwk(readObject(payload, z.record(z.unknown()), "The payload of externalAccountBinding"));
  if (bound.thumbprint !== thumbprint)
    throw new AcmeProblem("malformed", "The payload of externalAccountBinding is not the public key of the account.");
  if (key.revokedAt !== null) throw new AcmeProblem("unauthorized", "This key of an external account was revoked.");
  return key;
}

const USED = "This key of an external account was used already. A key makes one account: an owner makes another key.";

/** What came of a request for an account. */
export interface FoundAccount {
  account: BoundAccount;
  isNew: boolean;
}

/**
 * Makes the account of a public key, or returns the one that it has (RFC 8555 §7.3).
 *
 * @param payload The payload of the request.
 * @throws AcmeProblem `accountDoesNotExist`, `externalAccountRequired`, `malformed` or `unauthorized`, and PortalError (429) after too many
 *   wrong bindings from one network.
 */
export async function findOrMakeAccount(
  payload: string,
  key: AcmeJwk,
  client: Client,
  now = new Date(),
): Promise<FoundAccount> {
  const wanted = readObject(payload, newAccountSchema, "The request");
  const known = await findAcmeAccountByKey(getDb(), key.thumbprint);
  if (known) return { account: requireValid(known), isNew: false };
  if (wanted.onlyReturnExisting === true)
    throw new AcmeProblem("accountDoesNotExist", "There is no account with this key.");
  if (wanted.termsOfServiceAgreed !== true)
    throw new AcmeProblem("malformed", "Agree to the terms of service: termsOfServiceAgreed must be true.");
  const binding = await requireBinding(wanted.externalAccountBinding, key, client);
  const id = await inTransaction(async (trx) => {
    if (!(await bindAcmeKey(trx, binding.id, now))) throw new AcmeProblem("unauthorized", USED);
    const { thumbprint } = key;
    const row = { acmeKeyId: binding.id, thumbprint, jwk: JSON.stringify(key.jwk), createdAt: now };
    const made = await insertAcmeAccount(trx, row);
    if (made === null)
      throw new AcmeProblem("malformed", "Another request has made an account with this key meanwhile.");
    const actor = { id: binding.madeBy, name: acmeAccountName({ id: made, description: binding.description }), client };
    const message = `Made ACME account ${made} with ${acmeKeyName(binding)}, for ${standingName(binding.authorisationId)}.`;
    await record(trx, binding, { actor, event: "acme.account-made", message }, now);
    return made;
  });
  const account = await findAcmeAccount(getDb(), id);
  if (!account) throw new Error(`There is no ACME account ${id}.`);
  return { account, isNew: true };
}

const updateSchema = z.object({ status: z.string().optional() }).passthrough();

/**
 * Returns an account, and deactivates it before when the client asks for that (RFC 8555 §7.3.6). Contacts are not kept. Throws an
 * AcmeProblem `malformed` for another status.
 *
 * @param payload The payload of the request; empty to read the account.
 */
export async function readOrDeactivate(payload: string, account: BoundAccount, client: Client, now = new Date()) {
  const { status } = payload === "" ? {} : readObject(payload, updateSchema, "The request");
  if (status === undefined) return accountView(account);
  if (status !== "deactivated") throw new AcmeProblem("malformed", "The status can only become deactivated.");
  await inTransaction(async (trx) => {
    if (!(await deactivateAcmeAccount(trx, account.id, now))) return;
    const message = `Deactivated ACME account ${account.id}. It was made with ${acmeKeyName(account)}.`;
    await record(trx, account, { actor: actorOf(account, client), event: "acme.account-deactivated", message }, now);
  });
  return accountView({ ...account, deactivatedAt: now.toISOString() });
}

const keyChangeSchema = z.object({ account: z.string(), oldKey: z.record(z.unknown()) }).strict();

/** Returns the error for a key that another account has (RFC 8555 §7.3.5). */
const keyTaken = (id: number) =>
  new AcmeProblem("malformed", "Another account has this key.", {
    status: 409,
    headers: { Location: acmeUrls.account(id) },
  });

/**
 * Gives an account another key (RFC 8555 §7.3.5).
 *
 * @param payload The inner JWS, signed with the new key.
 * @throws AcmeProblem when the inner JWS is not as the RFC has it, and with status 409 when another account has the key.
 */
export async function changeKey(payload: string, account: BoundAccount, client: Client, now = new Date()) {
  const inner = readJws(readObject(payload, z.record(z.unknown()), "The payload"));
  requireUrl(inner, acmeUrls.keyChange());
  if (inner.header.nonce !== undefined) throw new AcmeProblem("malformed", "The inner JWS must have no nonce.");
  const key = await jwkOf(inner);
  const asked = readObject(await verifiedPayload(inner, key), keyChangeSchema, "The payload of the inner JWS");
  const { thumbprint: former } = await readJwk(asked.oldKey);
  if (asked.account !== acmeUrls.account(account.id) || former !== account.thumbprint)
    throw new AcmeProblem("malformed", "The account and the oldKey of the inner JWS are not those of the request.");
  const holder = await findAcmeAccountByKey(getDb(), key.thumbprint);
  if (holder) throw keyTaken(holder.id);
  await inTransaction(async (trx) => {
    const changed = { thumbprint: key.thumbprint, jwk: JSON.stringify(key.jwk) };
    if (!(await changeAcmeAccountKey(trx, { id: account.id, former }, changed)))
      throw new AcmeProblem("malformed", "The account got another key meanwhile.");
    const message = `ACME account ${account.id} has another account key.`;
    await record(trx, account, { actor: actorOf(account, client), event: "acme.account-key-changed", message }, now);
  });
  return accountView(account);
}
