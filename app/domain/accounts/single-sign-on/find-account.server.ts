import { randomBytes } from "node:crypto";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getConfig } from "~/lib/config.server";
import { isEmail } from "~/lib/fields";
import { type GroupRight } from "~/lib/single-sign-on-config";
import { type Trx } from "~db/connection.server";
import { findIdentity, insertIdentity } from "~db/repositories/sign-on-identities.server";
import { findUserById, insertUser, listUsersByLogin, lockEmail, type UserRow } from "~db/repositories/users.server";
import { isStaff } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";
import { type Claims, confirmedEmail, namesIn } from "./claims.policy";
import { SignOnRefused } from "./refusals";

/** A person at the identity provider who logs in, and what the portal records with. */
export interface Arrival {
  claims: Claims;
  /** The rights that the person's groups give. */
  wanted: readonly GroupRight[];
  /** The hash of a password that nobody knows, for an account that is made now. */
  unusableHash: string;
  actor: Actor;
}

/** Returns a password that nobody knows. */
export const unknownPassword = (): string => randomBytes(32).toString("base64url");

async function requireLinkable(trx: Trx, named: readonly UserRow[], email: string): Promise<UserRow> {
  const accounts = named.filter((account) => account.email === email);
  if (accounts.length === 0) throw new SignOnRefused("taken", { email });
  const [user, ...others] = accounts.filter(({ mergedInto }) => mergedInto === null);
  if (!user) throw new SignOnRefused("merged", { userId: accounts[0]?.id ?? null });
  if (others.length > 0) throw new SignOnRefused("several", { email: user.email });
  const about = { userId: user.id, email: user.email };
  if (user.isDisabled) throw new SignOnRefused("disabled", about);
  if (!isStaff({ rights: await staffRightsOf(trx, user) })) throw new SignOnRefused("customer", about);
  if (user.emailVerifiedAt === null) throw new SignOnRefused("unconfirmed", about);
  return user;
}

async function createAccount(trx: Trx, email: string, { claims, unusableHash, actor }: Arrival, now: Date) {
  const userId = await insertUser(trx, {
    username: email,
    email,
    passwordHash: unusableHash,
    passwordChangedAt: now,
    mustChangePassword: true,
    ...namesIn(claims, email),
    company: getConfig().legal.company,
    position: "Staff",
    telephoneNumber: "0",
    isApplicant: false,
    isAdmin: false,
    isDisabled: false,
    emailVerifiedAt: now,
    createdAt: now,
    updatedAt: now,
  });
  const message = "Made the account of a member of staff at the first login by single sign-on.";
  await recordAudit(trx, { actor, event: "account.sign-on-created", message, userId }, now);
  return userId;
}

/** Returns the account of a person who comes for the first time: the one of staff with this email, or a new one when a group gives a right. */
async function findOrCreate(trx: Trx, arrival: Arrival, now: Date): Promise<number> {
  const email = confirmedEmail(arrival.claims);
  if (email === null || !isEmail(email)) throw new SignOnRefused("email");
  await lockEmail(trx, email);
  const accounts = await listUsersByLogin(trx, email);
  if (accounts.length > 0) return (await requireLinkable(trx, accounts, email)).id;
  if (arrival.wanted.length === 0) throw new SignOnRefused("group", { email });
  return createAccount(trx, email, arrival, now);
}

/**
 * Returns the account of a person at the identity provider, by issuer and subject. At the first login the account of staff with the
 * person's confirmed email is linked, or an account is made. Throws a SignOnRefused when there is none for the person.
 */
export async function findAccount(trx: Trx, arrival: Arrival, now: Date): Promise<UserRow> {
  const { iss: issuer, sub: subject } = arrival.claims;
  const identity = await findIdentity(trx, { issuer, subject });
  const userId = identity?.userId ?? (await findOrCreate(trx, arrival, now));
  if (!identity) {
    if (!(await insertIdentity(trx, { issuer, subject, userId, linkedAt: now }))) throw new SignOnRefused("state");
    const message = `Linked with the identity '${subject.slice(0, 100)}' of ${issuer}.`;
    await recordAudit(trx, { actor: arrival.actor, event: "account.sign-on-linked", message, userId }, now);
  }
  const user = await findUserById(trx, userId);
  if (!user) throw new SignOnRefused("group");
  if (user.mergedInto !== null) throw new SignOnRefused("merged", { userId });
  return user;
}
