import { randomBytes } from "node:crypto";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { ConfigError } from "~/lib/config-error";
import { getEnv } from "~/lib/env.server";
import { getDb } from "~db/connection.server";
import { hasAdministrator, insertUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { newPasswordProblem } from "../new-password.server";
import { hashPassword } from "../passwords.server";
import { writeFirstPassword } from "./first-password.server";

const NAMES = { firstName: "Portal", lastName: "Administrator", company: "Certificate authority" };

/** Throws a ConfigError when no administrator exists and ADMIN_PASSWORD breaks the rules for new passwords. */
export async function checkFirstPassword(): Promise<void> {
  const { adminEmail, adminPassword } = getEnv();
  if (adminPassword === undefined || (await hasAdministrator(getDb()))) return;
  const problem = await newPasswordProblem(adminPassword, [...Object.values(NAMES), adminEmail]);
  if (problem) throw new ConfigError([`ADMIN_PASSWORD is refused: ${problem}`]);
}

/**
 * The administrator that was created. `password` is the generated one when a terminal shows it, and `passwordFile` the file that holds it
 * otherwise. Both are null when the password is ADMIN_PASSWORD.
 */
export interface NewAdministrator {
  email: string;
  password: string | null;
  passwordFile: string | null;
}

/**
 * Creates the administrator with the email ADMIN_EMAIL when no administrator exists. The password is ADMIN_PASSWORD or a generated one. It
 * must be changed at the first login when it is generated, or when the portal is for real use. Returns null when an administrator exists.
 *
 * @param isShown Whether a terminal shows a generated password. Otherwise it is written to a file, before the account exists, so that it
 *   cannot be lost.
 */
export async function createFirstAdministrator(isShown: boolean, now = new Date()): Promise<NewAdministrator | null> {
  if (await hasAdministrator(getDb())) return null;
  const { adminEmail, adminPassword, isForRealUse } = getEnv();
  const email = adminEmail.toLowerCase();
  const isGenerated = adminPassword === undefined;
  const password = adminPassword ?? randomBytes(15).toString("base64url");
  const passwordFile = isGenerated && !isShown ? await writeFirstPassword(email, password) : null;
  const passwordHash = await hashPassword(password);
  await inTransaction(async (trx) => {
    const userId = await insertUser(trx, {
      username: email,
      email,
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: isGenerated || isForRealUse,
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
  return { email, password: isGenerated && isShown ? password : null, passwordFile };
}
