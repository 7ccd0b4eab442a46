import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { PortalError } from "~/lib/errors";
import { networkOf } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import { findToken, storeToken } from "~db/repositories/tokens.server";
import { findUserById, insertUser, lockEmail } from "~db/repositories/users.server";
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
 * Registers a customer in one transaction: stores the account with the right Applicant and the audit entry, and queues the link that
 * confirms the email address. Returns the id and the session epoch for the automatic login. Throws a PortalError for the field `email`,
 * `password` or `securityQuestion`, and a PortalError (429) after too many registrations from one network.
 */
export async function registerUser(
  form: Registration,
  { sender, client, now = new Date() }: Circumstances,
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
      const id = await insertUser(trx, {
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
      });
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
