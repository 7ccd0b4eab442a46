import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { listCompaniesCalled } from "~db/repositories/companies.server";
import { findUserById, insertUser, listUsersByLogin, lockEmail } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { hashUnknownPassword } from "../passwords.server";
import { sendResetLink } from "../recovery/recovery.service.server";
import { type NewUserForm } from "./user-administration.schema";
import { lockAdministratorsFor } from "./user-administrators.server";

/**
 * An account that was made; the accounts that have its email address already or log in with it; or the companies of the same name, about
 * which the page asks.
 */
type Outcome =
  | { id: number }
  | { taken: { id: number; username: string }[] }
  | { namesakes: { id: number; name: string }[] };

/**
 * Makes an account for a person, who owns a new company and has the right Applicant, as after a registration, and sends the person the link
 * to choose a password. Nobody knows a password of the account before, and the link confirms the address. Makes nothing when an account has
 * the address already, and none for a company whose name another one has before that was confirmed. Throws a PortalError (403) when the actor is no longer a user administrator.
 *
 * @param isConfirmed Whether the actor has seen that another company has this name, and makes a second one.
 */
export async function createAccountFor(
  form: NewUserForm,
  { actor, isConfirmed, now = new Date() }: { actor: Actor; isConfirmed: boolean; now?: Date },
): Promise<Outcome> {
  const email = form.email.toLowerCase();
  const passwordHash = await hashUnknownPassword();
  return inTransaction(async (trx) => {
    await lockAdministratorsFor(trx, actor);
    await lockEmail(trx, email);
    const taken = await listUsersByLogin(trx, email);
    if (taken.length > 0) return { taken: taken.map(({ id, username }) => ({ id, username })) };
    const namesakes = isConfirmed ? [] : await listCompaniesCalled(trx, form.company);
    if (namesakes.length > 0) return { namesakes };
    const id = await insertUser(trx, {
      ...form,
      username: email,
      email,
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: true,
      isApplicant: true,
      isAdmin: false,
      isDisabled: false,
      createdAt: now,
      updatedAt: now,
    });
    const user = await findUserById(trx, id);
    if (user) await sendResetLink(trx, user, now);
    const message = "Made the account for the person, and sent the link to choose a password.";
    await recordAudit(trx, { actor, event: "account.created", message, userId: id }, now);
    return { id };
  });
}
