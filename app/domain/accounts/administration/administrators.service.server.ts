import { randomBytes } from "node:crypto";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { ConfigError } from "~/lib/config-error";
import { getEnv } from "~/lib/env.server";
import { getDb } from "~db/connection.server";
import { hasAdministrator, insertUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { newPasswordProblem } from "../new-password.server";
import { hashPassword } from "../passwords.server";

const NAMES = { firstName: "Portal", lastName: "Administrator", company: "Certificate authority" };

/** Throws a ConfigError when no administrator exists and ADMIN_PASSWORD breaks the rules for new passwords. */
export async function checkFirstPassword(): Promise<void> {
  const { adminEmail, adminPassword } = getEnv();
  if (adminPassword === undefined || (await hasAdministrator(getDb()))) return;
  const problem = await newPasswordProblem(adminPassword, [...Object.values(NAMES), adminEmail]);
  if (problem) throw new ConfigError([`ADMIN_PASSWORD is refused: ${problem}`]);
}

/**
 * Creates the administrator with the email ADMIN_EMAIL when no administrator exists. The password is ADMIN_PASSWORD or a generated one.
 * Returns the email and the generated password, with the password null when it is ADMIN_PASSWORD. Returns null when an administrator
 * exists.
 */
export async function createFirstAdministrator(
  now = new Date(),
): Promise<{ email: string; password: string | null } | null> {
  if (await hasAdministrator(getDb())) return null;
  const { adminEmail, adminPassword } = getEnv();
  const email = adminEmail.toLowerCase();
  const password = adminPassword ?? randomBytes(15).toString("base64url");
  const passwordHash = await hashPassword(password);
  await inTransaction(async (trx) => {
    const userId = await insertUser(trx, {
      username: email,
      email,
      passwordHash,
      passwordChangedAt: now,
      ...NAMES,
      position: "Administrator",
      telephoneNumber: "0",
      isApplicant: false,
      isAdmin: true,
      isDisabled: false,
      emailVerifiedAt: now,
      createdAt: now,
      updatedAt: now,
    });
    await recordAudit(
      trx,
      {
        actor: systemActor("setup"),
        event: "account.administrator-created",
        message: "Created the first administrator.",
        userId,
      },
      now,
    );
  });
  return { email, password: adminPassword ? null : password };
}
