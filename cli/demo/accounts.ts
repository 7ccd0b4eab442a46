import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { importAccounts } from "~/domain/accounts/import/import.service.server";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { COMPANIES, type DemoCompany, loginOf } from "./companies";
import { asCsvFile, onProblem } from "./csv-file";

export const DEMO = systemActor("demo");
/** A member of staff with the right Admin, who does what needs no other person. */
export const STAFF = "olga.novak@association.example";
/** Who checks the demo's orders, and who approves them: different people, as the strict four-eyes principle asks. */
export const OFFICER = "ian.wright@association.example";
export const APPROVER = "mia.berg@association.example";

interface Member {
  firstName: string;
  lastName: string;
  position: string;
  /** The right that is granted; the right Admin comes with the import. */
  right?: StaffRight;
}

/** The staff of a model office, by email. */
export const MEMBERS: Readonly<Record<string, Member>> = {
  [STAFF]: { firstName: "Olga", lastName: "Novak", position: "Head of Office" },
  [OFFICER]: {
    firstName: "Ian",
    lastName: "Wright",
    position: "Registration Officer",
    right: "registration-officer",
  },
  [APPROVER]: { firstName: "Mia", lastName: "Berg", position: "Approver", right: "approver" },
  "paul.stein@association.example": { firstName: "Paul", lastName: "Stein", position: "Accountant", right: "finance" },
  "rita.lang@association.example": {
    firstName: "Rita",
    lastName: "Lang",
    position: "User Administrator",
    right: "user-administrator",
  },
  "alan.reid@association.example": { firstName: "Alan", lastName: "Reid", position: "Auditor", right: "auditor" },
  "omar.haddad@association.example": { firstName: "Omar", lastName: "Haddad", position: "Operator", right: "operator" },
};

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

const staffRow = (email: string, { right, ...person }: Member, passwordHash: string) => ({
  username: email,
  email,
  ...person,
  company: "Certificate Authority",
  telephoneNumber: "+44 20 7946 0114",
  rights: right ? "Applicant" : "Admin",
  passwordHash,
});

/** Gives each member of staff their right instead of the right Applicant, which the import grants to everybody without Admin. */
async function grantRights(now: Date): Promise<void> {
  for (const [email, { right }] of Object.entries(MEMBERS)) {
    const [account] = await listUsersByLogin(getDb(), email);
    if (!account || !right) continue;
    await administerAccount({ action: `grant-${right}`, id: account.id, actor: DEMO }, now);
    await administerAccount({ action: "withdraw-applicant", id: account.id, actor: DEMO }, now);
  }
}

/** The accounts were opened, and their addresses confirmed, before the first order of the stories, which was placed 410 days ago. */
const OPENED_BEFORE_DAYS = 450;

/** Creates the accounts of the companies and of staff, all with this password and confirmed addresses. */
export async function makeAccounts(password: string, now: Date): Promise<void> {
  const hash = await hashPassword(password);
  const opened = addDays(now, -OPENED_BEFORE_DAYS);
  const rows = [
    ...COMPANIES.map((company) => rowOf(company, hash)),
    ...Object.entries(MEMBERS).map(([email, member]) => staffRow(email, member, hash)),
  ];
  await asCsvFile(rows, (file) =>
    importAccounts({ file, allowAdmins: true, dryRun: false, actor: DEMO, onProblem, onExisting: () => undefined }),
  );
  await getDb()
    .updateTable("users")
    .set({ createdAt: opened, emailVerifiedAt: opened })
    .where("email", "in", [...COMPANIES.map(loginOf), ...Object.keys(MEMBERS)])
    .execute();
  await grantRights(now);
}

/** Returns the account with this email as a logged-in user. */
export async function actAs(email: string): Promise<SessionUser> {
  const [account] = await listUsersByLogin(getDb(), email);
  const user = account && (await findSessionUser({ id: account.id, epoch: account.sessionEpoch }));
  if (!user) throw new Error(`There is no account ${email}.`);
  return user;
}
