import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

/** What an account and its company are called at one moment. */
export interface CalledNow {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  companyId: number;
  company: string;
  companyRegistrationNumber: string | null;
}

type CompanyDetail = Pick<Row<"formerCompanyDetails">, "kind" | "text">;
type UserDetail = Pick<Row<"formerUserDetails">, "kind" | "text">;

const companyDetails = ({ company, companyRegistrationNumber }: CalledNow): CompanyDetail[] => [
  { kind: "company", text: company },
  { kind: "company-number", text: companyRegistrationNumber ?? "" },
];

/** An account with whether its address is confirmed. */
type NotedNow = CalledNow & { emailVerifiedAt: string | null };

const userDetails = (user: NotedNow): UserDetail[] => [
  { kind: "name", text: `${user.firstName} ${user.lastName}` },
  { kind: "email", text: user.email },
  ...(user.emailVerifiedAt === null ? [] : [{ kind: "confirmed-email" as const, text: user.email }]),
  ...companyDetails(user),
];

/** The details that say something. */
const told = <Detail extends { text: string }>(details: readonly Detail[]) =>
  details.filter(({ text }) => text.trim() !== "");

async function storeUserDetails(db: DbOrTrx, details: readonly NewRow<"formerUserDetails">[]): Promise<void> {
  const rows = told(details);
  if (rows.length === 0) return;
  const insert = db.insertInto("formerUserDetails").values(rows);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

async function storeCompanyDetails(db: DbOrTrx, details: readonly NewRow<"formerCompanyDetails">[]): Promise<void> {
  const rows = told(details);
  if (rows.length === 0) return;
  const insert = db.insertInto("formerCompanyDetails").values(rows);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

/**
 * Notes what an account and the company in which its person works are called. Call it before and after a change, in its transaction. Of two
 * changes at once each notes what it found and what it left, so that nothing is missed.
 */
export async function noteCalled(db: DbOrTrx, user: NotedNow, notedAt: Date): Promise<void> {
  await storeUserDetails(
    db,
    userDetails(user).map((detail) => ({ ...detail, userId: user.id, notedAt })),
  );
  await storeCompanyDetails(
    db,
    companyDetails(user).map((detail) => ({ ...detail, companyId: user.companyId, notedAt })),
  );
}

/** Returns what these accounts were called, and the companies in which their persons worked, as far as a change has noted it. */
export async function listFormerDetails(db: DbOrTrx, userIds: readonly number[]): Promise<Row<"formerUserDetails">[]> {
  if (userIds.length === 0) return [];
  return db.selectFrom("formerUserDetails").selectAll().where("userId", "in", userIds).execute();
}

/** Returns what companies were called, as far as a change has noted it. */
export const listFormerCompanyDetails = (
  db: DbOrTrx,
  companyIds: readonly number[],
): Promise<Row<"formerCompanyDetails">[]> =>
  db.selectFrom("formerCompanyDetails").selectAll().where("companyId", "in", companyIds).execute();

/** Gives what other accounts are and were called to the account into which they are merged. */
export async function inheritDetails(
  db: DbOrTrx,
  from: readonly NotedNow[],
  userId: number,
  notedAt: Date,
): Promise<void> {
  const former = await listFormerDetails(
    db,
    from.map(({ id }) => id),
  );
  const details = [...former, ...from.flatMap(userDetails)];
  await storeUserDetails(
    db,
    details.map(({ kind, text }) => ({ kind, text, userId, notedAt })),
  );
}

/** Gives what a company is and was called to the company that takes over what it owns. */
export async function inheritCompanyDetails(
  db: DbOrTrx,
  from: number,
  companyId: number,
  notedAt: Date,
): Promise<void> {
  const row = await db
    .selectFrom("companies")
    .select(["name", "companyRegistrationNumber"])
    .where("id", "=", from)
    .executeTakeFirstOrThrow();
  const details: CompanyDetail[] = [
    ...(await listFormerCompanyDetails(db, [from])),
    { kind: "company", text: row.name },
    { kind: "company-number", text: row.companyRegistrationNumber ?? "" },
  ];
  await storeCompanyDetails(
    db,
    details.map(({ kind, text }) => ({ kind, text, companyId, notedAt })),
  );
}
