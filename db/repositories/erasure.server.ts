import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { escapeLike, isOneOfTexts } from "../like";
import { type Database } from "../tables";
import { repeatTags } from "./certificate-notes.server";
import { updateCompany } from "./companies.server";
import { type DataSubject, isContactOfCode, isMailTo } from "./personal-data.server";
import { deleteRateLimits } from "./rate-limits.server";
import { updateUser } from "./users.server";

/** A person with the texts that only this person has. `emails` has the former addresses, too. */
export interface Erased extends DataSubject {
  /** Confirmed emails and user names, in lower case. */
  identifiers: readonly string[];
}

/** What takes the place of the data of a person. */
export interface Replacement {
  name: string;
  email: string;
  /** Replaces the identifiers of the person in a text. */
  inText: (text: string) => string;
}

/** Tables whose rows are nobody else's and are deleted, by their column with the account. */
const DELETED = [
  ["drafts", "userId"],
  ["apiIdempotency", "userId"],
  ["sessions", "userId"],
  ["sessions", "impersonatorId"],
  ["apiTokens", "userId"],
  ["apiTokens", "impersonatorId"],
  ["loginPlaces", "userId"],
  ["secondFactors", "userId"],
  ["recoveryCodes", "userId"],
  ["signOnIdentities", "userId"],
  ["groupRights", "userId"],
  ["tokens", "userId"],
  ["settings", "userId"],
  ["memberships", "userId"],
  ["entityFollowers", "userId"],
] as const;

/** Deletes what the accounts were called before. */
export async function deleteFormerDetails(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom("formerUserDetails").where("userId", "in", ids).execute();
}

/** Deletes what belongs to the accounts alone: drafts, sessions, factors, tokens, settings, memberships, what they follow. */
export async function deleteOwnRows(trx: Trx, { ids, emails }: Erased): Promise<void> {
  for (const [table, column] of DELETED)
    await sql`delete from ${sql.table(snake(table))} where ${sql.ref(snake(column))} in (${sql.join(ids)})`.execute(
      trx,
    );
  await trx
    .deleteFrom("tokens")
    .where((eb) => isOneOfTexts(eb.ref("email"), emails))
    .execute();
}

/** Deletes the forms of these pages that the portal keeps for whoever was filling them in. */
export async function deleteKeptForms(trx: Trx, pages: readonly string[]): Promise<void> {
  const isOf = (page: string) => `%"page":${escapeLike(JSON.stringify(page))}%`;
  await trx
    .deleteFrom("drafts")
    .where("kind", "=", "unsent-form")
    .where((eb) => eb.or(pages.map((page) => sql<SqlBool>`${eb.ref("data")} like ${isOf(page)} escape '\\'`)))
    .execute();
}

/** Deletes the files of accounts to import that contain one of these addresses. */
export async function deletePreparedImports(trx: Trx, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await trx
    .deleteFrom("drafts")
    .where("kind", "=", "users-import")
    .where((eb) =>
      eb.or(emails.map((email) => sql<SqlBool>`lower(${eb.ref("data")}) like ${`%${escapeLike(email)}%`} escape '\\'`)),
    )
    .execute();
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Ends the invitations by the accounts, and replaces the address of those to them. */
export async function eraseInvitations(trx: Trx, { ids, emails }: Erased, { email }: Replacement, now: Date) {
  const isTo = (eb: ExpressionBuilder<Database, "invitations">) => isOneOfTexts(eb.ref("email"), emails);
  await trx
    .updateTable("invitations")
    .set({ endedAt: now })
    .where("endedAt", "is", null)
    .where((eb) => eb.or([eb("invitedBy", "in", ids), isTo(eb)]))
    .execute();
  await trx.updateTable("invitations").set({ email }).where(isTo).execute();
}

/** Ends the confirmations of the person's mailboxes for companies, and replaces the addresses of the person in them. */
export async function eraseConfirmedMailboxes(trx: Trx, { emails }: Erased, { email }: Replacement, now: Date) {
  const ended = { name: email, endedAt: now, endedWhy: "The person of the mailbox was erased.", mailTokenHash: null };
  const isTheirs = (column: "name" | "mailedTo") => (eb: ExpressionBuilder<Database, "companyDomains">) =>
    isOneOfTexts(eb.ref(column), emails);
  const { name, ...ending } = ended;
  const theirs = trx.updateTable("companyDomains").where(isTheirs("name"));
  await theirs.set(ending).where("endedAt", "is", null).execute();
  await theirs.set({ name, mailTokenHash: null }).execute();
  await trx.updateTable("companyDomains").set({ mailedTo: email }).where(isTheirs("mailedTo")).execute();
}

/** Returns an expression for whether a text contains one of the identifiers. */
const mentions = (column: Expression<string | null>, identifiers: readonly string[]) =>
  identifiers.map((text) => sql<SqlBool>`lower(${column}) like ${`%${escapeLike(text)}%`} escape '\\'`);

/** Deletes the counts of tries to log in, or to recover a password, with a name of the person. `limits` are those that count names. */
export async function eraseTries(trx: Trx, { identifiers }: Erased, limits: readonly string[]): Promise<void> {
  for (const limit of limits) for (const name of identifiers) await deleteRateLimits(trx, `${limit}:${name}`);
}

/** Returns the numbers and times of the messages to the person, by which their files in the outbox are named. */
export const listMailsToErase = (db: DbOrTrx, erased: Erased) =>
  db
    .selectFrom("mails")
    .select(["id", "createdAt"])
    .where((eb) => isMailTo(eb, erased))
    .execute();

/** Replaces the person in the subjects and keys of messages to others, such as 'The staff account … is locked'. */
async function eraseFromOtherMails(trx: Trx, { identifiers }: Erased, { inText }: Replacement): Promise<void> {
  const rows = await trx
    .selectFrom("mails")
    .select(["id", "subject", "dedupeKey"])
    .where((eb) => eb.or([eb.ref("subject"), eb.ref("dedupeKey")].flatMap((column) => mentions(column, identifiers))))
    .execute();
  for (const { id, subject, dedupeKey } of rows) {
    const [kind = ""] = dedupeKey.split(":");
    const isNamed = inText(dedupeKey) !== dedupeKey;
    await trx
      .updateTable("mails")
      .set({ subject: inText(subject), ...(isNamed && { dedupeKey: `${kind}:erased:${id}` }) })
      .where("id", "=", id)
      .execute();
  }
}

/** Empties the messages to the person that were not sent yet, and replaces the person in the recipient, subject and key of all. */
export async function eraseMails(trx: Trx, erased: Erased, by: Replacement, now: Date): Promise<void> {
  const isTo = (eb: ExpressionBuilder<Database, "mails">) => isMailTo(eb, erased);
  await trx
    .updateTable("mails")
    .set({ text: "", html: "", stopUrl: null, dismissedAt: now, leasedUntil: null })
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where(isTo)
    .execute();
  await trx.updateTable("mails").set({ recipient: by.email, lastError: null }).where(isTo).execute();
  await eraseFromOtherMails(trx, erased, by);
}

/** Replaces the person in the security events, and removes their addresses and browsers. */
export async function eraseSecurityEvents(trx: Trx, { ids, identifiers }: Erased, { name, inText }: Replacement) {
  const where = { address: null, network: null, addressDigits: null, userAgent: null };
  const isTheirs = (eb: ExpressionBuilder<Database, "securityEvents">): Expression<SqlBool> =>
    eb.or([eb("userId", "in", ids), isOneOfTexts(eb.ref("actorName"), identifiers)]);
  await trx
    .updateTable("securityEvents")
    .set({ ...where, actorName: name, detail: `[The text was erased with the data of ${name}.]` })
    .where(isTheirs)
    .execute();
  await trx.updateTable("securityEvents").set(where).where("impersonatorId", "in", ids).execute();
  const naming = await trx
    .selectFrom("securityEvents")
    .select(["id", "detail"])
    .where((eb) => eb.or(mentions(eb.ref("detail"), identifiers)))
    .execute();
  for (const { id, detail } of naming)
    await trx
      .updateTable("securityEvents")
      .set({ detail: inText(detail) })
      .where("id", "=", id)
      .execute();
}

/** Replaces the addresses and user names of the person in the notes of companies about their certificates. */
async function eraseFromCertificateNotes(trx: Trx, { identifiers }: Erased, { inText }: Replacement): Promise<void> {
  const naming = await trx
    .selectFrom("certificateNotes")
    .select(["certificateId", "notes", "tags"])
    .where((eb) => eb.or([...mentions(eb.ref("notes"), identifiers), ...mentions(eb.ref("tags"), identifiers)]))
    .execute();
  for (const { certificateId, notes, tags } of naming) {
    await trx
      .updateTable("certificateNotes")
      .set({ notes: inText(notes), tags: inText(tags) })
      .where("certificateId", "=", certificateId)
      .execute();
    await repeatTags(trx, certificateId);
  }
}

/** Deletes the contacts of codes with an address of the person, and replaces the person's name where others noted it. */
export async function eraseMentions(trx: Trx, erased: Erased, by: Replacement) {
  const { ids, identifiers } = erased;
  const { name } = by;
  await trx
    .deleteFrom("codeContacts")
    .where((eb) => isContactOfCode(eb, erased))
    .execute();
  await eraseFromCertificateNotes(trx, erased, by);
  await trx.updateTable("dualControlRequests").set({ reason: "" }).where("userId", "in", ids).execute();
  await trx
    .updateTable("userRights")
    .set({ grantedBy: name })
    .where((eb) => isOneOfTexts(eb.ref("grantedBy"), identifiers))
    .execute();
  for (const column of ["contactAnswerBy", "organisationCheckedBy", "csrCheckedBy"] as const)
    await trx
      .updateTable("certificates")
      .set({ [column]: name })
      .where((eb) => isOneOfTexts(eb.ref(column), identifiers))
      .execute();
}

/** Returns whether a company has never ordered or registered anything. */
export async function isUnused(db: DbOrTrx, companyId: number): Promise<boolean> {
  for (const table of ["orders", "certificates", "codes"] as const) {
    const row = await db.selectFrom(table).select("id").where("companyId", "=", companyId).limit(1).executeTakeFirst();
    if (row) return false;
  }
  return true;
}

/**
 * Removes the numbers, addresses, domains and webhooks of a company that has ordered nothing, and what it was called before.
 *
 * @param name What it is called from now on: the pseudonym of its person, or a name for companies that ended.
 */
export async function eraseCompany(trx: Trx, id: number, name: string, now: Date): Promise<void> {
  const numbers = { companyRegistrationNumber: null, taxNumber: null, vatNumber: null, vatNumberChecked: null };
  const addresses = { companyAddressId: null, invoicingAddressId: null, mailingAddressId: null };
  const company = await trx.selectFrom("companies").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await updateCompany(trx, id, { name, ...numbers, ...addresses }, now);
  const ids = [company.companyAddressId, company.invoicingAddressId, company.mailingAddressId].filter(
    (one) => one !== null,
  );
  if (ids.length > 0) await trx.deleteFrom("addresses").where("id", "in", ids).execute();
  await trx.deleteFrom("companyDomains").where("companyId", "=", id).execute();
  await trx.deleteFrom("webhookEndpoints").where("companyId", "=", id).execute();
  await deleteFormerCompanyDetails(trx, id);
}

/** Deletes what a company was called before, which can be the name of its person. */
const deleteFormerCompanyDetails = (trx: Trx, companyId: number) =>
  trx.deleteFrom("formerCompanyDetails").where("companyId", "=", companyId).execute();

/** Names a company after the pseudonym. What it ordered keeps the name under which it was ordered. */
export async function renameCompany(trx: Trx, id: number, name: string, now: Date): Promise<void> {
  await updateCompany(trx, id, { name }, now);
  await deleteFormerCompanyDetails(trx, id);
}

/** Replaces what an account says about its person. Nobody can log in to it any more. */
export async function eraseUser(
  trx: Trx,
  id: number,
  person: { username: string; email: string; firstName: string; lastName: string; passwordHash: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable("users")
    .set((eb) => ({ sessionEpoch: eb("sessionEpoch", "+", 1), erasedAt: now, erasureRequestedAt: null }))
    .where("id", "=", id)
    .execute();
  await updateUser(
    trx,
    id,
    {
      ...person,
      position: "",
      telephoneNumber: "",
      securityQuestion: null,
      securityAnswerHash: null,
      isApplicant: false,
      isDisabled: true,
      failedLogins: 0,
      lastFailureAt: null,
      lastLoginAt: null,
      emailVerifiedAt: null,
    },
    now,
  );
}

/** Stores that a person asked for the erasure, or withdrew that. Returns false when nothing changed. */
export async function setErasureRequest(trx: Trx, id: number, at: Date | null): Promise<boolean> {
  const query = trx.updateTable("users").set({ erasureRequestedAt: at }).where("id", "=", id);
  const { numUpdatedRows } = await query
    .where("erasureRequestedAt", at === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the accounts whose persons asked for the erasure, in the order in which they asked. */
export const listErasureRequests = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .select(["id", "firstName", "lastName", "erasureRequestedAt", "emailVerifiedAt"])
    .where("erasureRequestedAt", "is not", null)
    .where("erasedAt", "is", null)
    .orderBy("erasureRequestedAt")
    .orderBy("id")
    .execute();

/** Returns the accounts that were erased after this time. */
export const listErasedSince = (db: DbOrTrx, since: Date) =>
  db
    .selectFrom("users")
    .select(["id", "mergedInto"])
    .where("erasedAt", ">", since.toISOString())
    .orderBy("id")
    .execute();
