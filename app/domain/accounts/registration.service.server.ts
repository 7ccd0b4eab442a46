import { recordAudit } from "~/domain/audit/audit.service.server";
import { recordJoined, takeInvitation } from "~/domain/companies/invitations.service.server";
import { requireNoStaff } from "~/domain/companies/no-staff.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { PortalError } from "~/lib/errors";
import { networkOf } from "~/lib/networks.server";
import { getDb, type Trx } from "~db/connection.server";
import { lockCompany, noteAccepted } from "~db/repositories/members.server";
import { findToken, storeToken } from "~db/repositories/tokens.server";
import { findUserById, insertMemberAccount, insertUser, lockEmail } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type Registration } from "./accounts.schema";
import { requireFreeEmail } from "./free-email.server";
import { preparePassword } from "./password-change.service.server";
import { verifyPassword } from "./passwords.server";
import { prepareSecurityQuestion } from "./security-question.server";
import { queueEmailLink } from "./verification.service.server";

/** How long the portal recognises a form that was sent before, in milliseconds. */
const TWICE = 10 * 60_000;

/** The account for which the session is started. */
interface Registered {
  id: number;
  sessionEpoch: number;
}

interface Circumstances {
  /** A secret of the browser that sends the form. It shows that the same form is sent twice. */
  sender: string;
  client: Client;
  /** The token of the invitation with which a person registers for an existing company. */
  invitation?: string | undefined;
  now?: Date;
}

const formKey = (sender: string, email: string) => `register ${sender} ${email}`;

/**
 * Returns the account that the same form has created before, or null. Without scripts a second click on Register sends the form again, and
 * the browser shows only the second answer. The session in which the form was filled in ended with the first answer.
 */
async function findTwin({ password }: Registration, key: string, now: Date): Promise<Registered | null> {
  const token = await findToken(getDb(), "registered-form", key, now);
  const account = token?.userId ? await findUserById(getDb(), token.userId) : null;
  return account?.isDisabled === false &&
    account.adminLockedAt === null &&
    (await verifyPassword(account.passwordHash, password))
    ? account
    : null;
}

/**
 * Stores the account of a person who was invited to a company, and makes them a member of it. The link came by mail, so it confirms the
 * address, too. Throws what `takeInvitation` and `requireNoStaff` throw.
 */
async function registerInvited(
  trx: Trx,
  account: Parameters<typeof insertMemberAccount>[1],
  { token, client, now }: { token: string; client: Client; now: Date },
): Promise<Registered> {
  const { id: invitationId, companyId, company, role } = await takeInvitation(trx, token, account.email, now);
  await lockCompany(trx, companyId, now); // so that no merge takes the company for one without colleagues
  const id = await insertMemberAccount(trx, { ...account, company, emailVerifiedAt: now }, { companyId, role });
  await noteAccepted(trx, invitationId, id);
  await requireNoStaff(trx, companyId, now);
  const actor = { id, name: account.email, client };
  const message = "Registered a new account by an invitation, which confirmed the email address.";
  await recordAudit(trx, { actor, event: "account.registered", message, userId: id }, now);
  await recordJoined(trx, actor, { companyId, company, role, userId: id }, now);
  return { id, sessionEpoch: 0 };
}

/**
 * Registers a customer in one transaction: stores the account with the right Applicant and the audit entry, and queues the link that
 * confirms the email address. With an invitation, the person becomes a member of the company that invited them. Returns the id and the session epoch for the automatic login. Throws a PortalError for the field `email`,
 * `password` or `securityQuestion`, and a PortalError (429) after too many registrations from one network.
 */
export async function registerUser(
  form: Registration,
  { sender, client, invitation, now = new Date() }: Circumstances,
): Promise<Registered> {
  await consumeTry("register-address", networkOf(client.address));
  const email = form.email.toLowerCase();
  const key = formKey(sender, email);
  const passwordHash = await preparePassword(form.password, { ...form, email });
  const question = await prepareSecurityQuestion(form.securityQuestion, form.securityAnswer);
  const { firstName, lastName, company, position, telephoneNumber } = form;
  try {
    return await inTransaction(async (trx) => {
      await lockEmail(trx, email);
      await requireFreeEmail(trx, email);
      const account = {
        username: email,
        email,
        firstName,
        lastName,
        company,
        position,
        telephoneNumber,
        ...question,
        passwordHash,
        passwordChangedAt: now,
        isApplicant: true,
        isAdmin: false,
        isDisabled: false,
        lastLoginAt: now,
        createdAt: now,
        updatedAt: now,
      };
      if (invitation !== undefined) return registerInvited(trx, account, { token: invitation, client, now });
      const id = await insertUser(trx, account);
      const entry = { event: "account.registered", message: "Registered a new account.", userId: id };
      await recordAudit(trx, { actor: { id, name: email, client }, ...entry }, now);
      await queueEmailLink(trx, { id, email }, { now });
      await storeToken(trx, key, { purpose: "registered-form", email, userId: id, lifetimeMs: TWICE }, now);
      return { id, sessionEpoch: 0 };
    });
  } catch (error) {
    const twin = error instanceof PortalError ? await findTwin(form, key, now) : null;
    if (twin) return { id: twin.id, sessionEpoch: twin.sessionEpoch };
    throw error;
  }
}
