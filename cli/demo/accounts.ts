import { importAccounts } from "~/domain/accounts/import/import.service.server";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { COMPANIES, type DemoCompany, loginOf } from "./companies";
import { asCsvFile, onProblem } from "./csv-file";

export const DEMO = systemActor("demo");
/** A second member of staff, because whoever places an order cannot approve it. */
export const STAFF = "olga.novak@association.example";

const rowOf = (company: DemoCompany, passwordHash: string) => ({
  username: loginOf(company),
  email: loginOf(company),
  ...company.person,
  company: company.company,
  telephoneNumber: company.telephoneNumber,
  companyRegistrationNumber: company.registrationNumber,
  vatNumber: company.vatNumber,
  "companyAddress.addressLine1": company.street,
  "companyAddress.city": company.city,
  "companyAddress.postalCode": company.postalCode,
  "companyAddress.country": company.iso,
  rights: "Applicant",
  passwordHash,
});

const staffRow = (passwordHash: string) => ({
  username: STAFF,
  email: STAFF,
  firstName: "Olga",
  lastName: "Novak",
  position: "Registration Officer",
  company: "Certificate Authority",
  telephoneNumber: "+44 20 7946 0114",
  rights: "Admin",
  passwordHash,
});

/** Creates the accounts of the companies and one of staff, all with this password and confirmed addresses. */
export async function makeAccounts(password: string, now: Date): Promise<void> {
  const hash = await hashPassword(password);
  const rows = [...COMPANIES.map((company) => rowOf(company, hash)), staffRow(hash)];
  await asCsvFile(rows, (file) =>
    importAccounts({ file, allowAdmins: true, dryRun: false, actor: DEMO, onProblem, onExisting: () => undefined }),
  );
  await getDb()
    .updateTable("users")
    .set({ emailVerifiedAt: now })
    .where("email", "in", [...COMPANIES.map(loginOf), STAFF])
    .execute();
}

/** Returns the account with this email as a logged-in user. */
export async function actAs(email: string): Promise<SessionUser> {
  const [account] = await listUsersByLogin(getDb(), email);
  const user = account && (await findSessionUser({ id: account.id, epoch: account.sessionEpoch }));
  if (!user) throw new Error(`There is no account ${email}.`);
  return user;
}
