import { createHash } from "node:crypto";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { isEndedSession, noteEndedSession } from "~db/repositories/ended-sessions.server";
import { insertUser, listUsersByLogin, lockEmail } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type Registration } from "./accounts.schema";
import { demandFreeEmail } from "./free-email.server";
import { preparePassword } from "./password-change.service.server";
import { verifyPassword } from "./passwords.server";
import { prepareSecurityQuestion } from "./security-question.server";
import { queueEmailLink } from "./verification.service.server";

/** How long a form that was sent is remembered, in milliseconds. */
const TWICE = 10 * 60_000;

/** Who the session is started for. */
interface Registered {
  id: number;
  sessionEpoch: number;
}

interface Circumstances {
  /** Secret of the browser that sends the form: the same form sent twice is told by it. */
  sender: string;
  now?: Date;
}

const formKey = (sender: string, email: string) =>
  createHash("sha256").update(`register ${sender} ${email}`).digest("base64url").slice(0, 40);

/**
 * The account that the same form made before: without scripts a second click on Register sends it again, and only the second answer
 * is shown. The session in which it was filled in ended with the first one.
 */
async function findTwin({ email, password }: Registration, key: string): Promise<Registered | null> {
  if (!(await isEndedSession(getDb(), key))) return null;
  const [account] = await listUsersByLogin(getDb(), email.toLowerCase());
  return account?.isDisabled === false &&
    account.adminLockedAt === null &&
    (await verifyPassword(account.passwordHash, password))
    ? account
    : null;
}

/**
 * Registers a customer: account with the right Applicant, audit entry and the e-mail verification link in one transaction.
 * Out: id and session epoch, for the automatic login. Throws PortalError at `email`, `password` or `securityQuestion`.
 */
export async function registerUser(
  form: Registration,
  { sender, now = new Date() }: Circumstances,
): Promise<Registered> {
  const email = form.email.toLowerCase();
  const key = formKey(sender, email);
  const passwordHash = await preparePassword(form.password, { ...form, email });
  const question = await prepareSecurityQuestion(form.securityQuestion, form.securityAnswer);
  const { firstName, lastName, company, position, telephoneNumber } = form;
  try {
    return await inTransaction(async (trx) => {
      await lockEmail(trx, email);
      await demandFreeEmail(trx, email);
      const id = await insertUser(trx, {
        ...{ username: email, email, firstName, lastName, company, position, telephoneNumber },
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
      await recordAudit(trx, { actor: { id, name: email }, ...entry }, now);
      await queueEmailLink(trx, { id, email }, { now });
      await noteEndedSession(trx, key, new Date(now.getTime() + TWICE));
      return { id, sessionEpoch: 0 };
    });
  } catch (error) {
    const twin = error instanceof PortalError ? await findTwin(form, key) : null;
    if (twin) return { id: twin.id, sessionEpoch: twin.sessionEpoch };
    throw error;
  }
}
