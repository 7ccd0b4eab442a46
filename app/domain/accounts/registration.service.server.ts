import { recordAudit } from "~/domain/audit/audit.service.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { insertUser, listUsersByLogin } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type Registration } from "./accounts.schema";
import { hashAnswer, hashPassword, passwordProblem } from "./passwords.server";
import { queueVerification } from "./verification.service.server";

export const DUPLICATE_EMAIL =
  "An account with this e-mail address already exists. Please log in, or use the Forgot Password option if you no longer know the password.";

async function refuseDuplicate(db: DbOrTrx, email: string): Promise<void> {
  if ((await listUsersByLogin(db, email)).length > 0)
    throw new PortalError(DUPLICATE_EMAIL, { code: "registration.duplicate-email", field: "email" });
}

const isUniqueViolation = (error: unknown) => {
  const code = (error as { code?: unknown }).code;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE";
};

/**
 * Registers a customer: account with the right Applicant, audit entry and the e-mail verification link in one transaction.
 * Out: id and session epoch, for the automatic login. Throws PortalError at `email`, `password` or `securityQuestion`.
 */
export async function registerUser(
  form: Registration,
  now = new Date(),
): Promise<{ id: number; sessionEpoch: number }> {
  const { passwordMinLength, securityQuestions } = getConfig().accounts;
  const email = form.email.toLowerCase();
  const problem = passwordProblem(form.password, passwordMinLength, [
    form.firstName,
    form.lastName,
    form.company,
    email,
  ]);
  if (problem) throw new PortalError(problem, { code: "registration.password", field: "password" });
  if (!securityQuestions.includes(form.securityQuestion))
    throw new PortalError(messages.collection, { code: "registration.question", field: "securityQuestion" });

  const [passwordHash, securityAnswerHash] = await Promise.all([
    hashPassword(form.password),
    hashAnswer(form.securityAnswer),
  ]);
  try {
    return await inTransaction(async (trx) => {
      await refuseDuplicate(trx, email);
      const id = await insertUser(trx, {
        username: email,
        email,
        passwordHash,
        passwordChangedAt: now,
        firstName: form.firstName,
        lastName: form.lastName,
        company: form.company,
        position: form.position,
        telephoneNumber: form.telephoneNumber,
        securityQuestion: form.securityQuestion,
        securityAnswerHash,
        isApplicant: true,
        isAdmin: false,
        isDisabled: false,
        lastLoginAt: now,
        createdAt: now,
        updatedAt: now,
      });
      const actor = { id, name: email };
      await recordAudit(
        trx,
        { actor, event: "account.registered", message: "Registered a new account.", userId: id },
        now,
      );
      await queueVerification(trx, { id, email, firstName: form.firstName }, now);
      return { id, sessionEpoch: 0 };
    });
  } catch (error) {
    // Two registrations at once: the unique user name decides.
    if (isUniqueViolation(error)) await refuseDuplicate(getDb(), email);
    throw error;
  }
}
