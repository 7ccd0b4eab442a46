import { randomBytes } from "node:crypto";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { getDb } from "~db/connection.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertUser, type NewUser, updateUser } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";

export const TEST_PASSWORD = "correct horse battery";
const LONG = "purple gravel monday kite seven wet cardboard lions";
/** New passwords of 9 to 50 characters that must be stored exactly as typed. */
export const ODD_PASSWORDS = [
  "z7 <b>k</b>",
  " 9Zx!qK ",
  LONG.slice(0, 49),
  LONG.slice(0, 50),
  "🚗🚲🛵🚌",
  "סיסמה ארוכה",
];
/** Why a password such as `Password123` is refused. */
export const COMMON_PASSWORD_REFUSED =
  "This password is too easy to guess. This is a commonly used password. Choose a longer one, for example four words that have nothing to do with each other.";
const GB = 826;

let passwordHash: Promise<string> | undefined;

/** Stores an account with complete details (unless `detailsMissing`) and a verified email. */
export async function createUser({
  detailsMissing = false,
  countryId = GB,
  ...given
}: Partial<NewUser> & { detailsMissing?: boolean; countryId?: number } = {}) {
  const now = new Date();
  const email = given.email ?? `user-${randomBytes(4).toString("hex")}@example-parts.com`;
  const user = {
    username: email,
    email,
    passwordHash: await (passwordHash ??= hashPassword(TEST_PASSWORD)),
    passwordChangedAt: now,
    firstName: "Anna",
    lastName: "Müller",
    company: "Example Parts Ltd",
    position: "EDI manager",
    telephoneNumber: "+44 20 7946 0000",
    isApplicant: true,
    isAdmin: false,
    isDisabled: false,
    emailVerifiedAt: now,
    createdAt: now,
    updatedAt: now,
    ...given,
  };
  const id = await insertUser(getDb(), user);
  if (!detailsMissing) {
    const address = {
      userId: id,
      company: user.company,
      addressLine1: "1 Mill Lane",
      city: "Coventry",
      postalCode: "CV1 1AA",
      country: countryId,
    };
    const [company, invoicing] = await getDb()
      .insertInto("addresses")
      .values([address, address])
      .returning("id")
      .execute();
    await updateUser(getDb(), id, {
      companyRegistrationNumber:
        given.companyRegistrationNumber === undefined ? "01234567" : given.companyRegistrationNumber,
      vatNumber: "GB123456789",
      companyAddressId: company?.id ?? null,
      invoicingAddressId: invoicing?.id ?? null,
    });
  }
  return { ...user, id, companyId: await findCompanyId(getDb(), id), sessionEpoch: 0 };
}

/** Creates an administrator who is not an applicant. */
export const createAdmin = (given: Partial<NewUser> = {}) =>
  createUser({
    isApplicant: false,
    isAdmin: true,
    firstName: "Olga",
    lastName: "Staff",
    company: "Example Association",
    // Customers of the tests have a registration number, which staff do not share.
    ...(!given.isApplicant && { companyRegistrationNumber: null }),
    ...given,
  });

/** Creates a member of staff with these rights and no others. */
export async function createStaff(rights: readonly StaffRight[], given: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser({
    isApplicant: false,
    firstName: "Stella",
    lastName: "Staff",
    company: "Example Association",
    companyRegistrationNumber: null,
    ...given,
  });
  const granted = { userId: user.id, grantedAt: new Date(), grantedBy: "tests" };
  if (rights.length > 0)
    await getDb()
      .insertInto("userRights")
      .values(rights.map((right) => ({ ...granted, right })))
      .execute();
  // Customers of the tests have a registration number, which staff do not share.
  if (given.companyRegistrationNumber === undefined)
    await updateUser(getDb(), user.id, { companyRegistrationNumber: null });
  return user;
}
