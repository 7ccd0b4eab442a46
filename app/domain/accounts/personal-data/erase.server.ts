import { randomBytes } from "node:crypto";
import { type Actor, systemActor } from "~/domain/audit/audit.service.server";
import {
  type ErasedFromTrail,
  eraseFromTrail,
  findMentions,
  inReasonOf,
  type Mentions,
  replacer,
} from "~/domain/audit/erase.server";
import { contactSearchTextOf } from "~/domain/certificates/purchase/certificate-columns.server";
import { type ContactSnapshot, parseContact } from "~/domain/certificates/purchase/contact.schema";
import { endWithContact } from "~/domain/certificates/standing/telling.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { companyReference } from "~/domain/companies/company-reference";
import { endWithErasure } from "~/domain/companies/lost-role.server";
import { LIMITS_BY_NAME } from "~/domain/limits/tries.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { dataErasedMail } from "~/domain/mail/templates/personal-data.server";
import { deleteOutboxFiles } from "~/domain/mail/transport.server";
import { eraseCorrectedContact, eraseFromCorrections } from "~/domain/orders/corrections/erase-corrections.server";
import { accountPaths } from "~/lib/account-paths";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { contactUrl } from "~/lib/server-paths.server";
import { type DbOrTrx, emptyWriteAheadLog, getDb, type Trx } from "~db/connection.server";
import { listActorNames } from "~db/repositories/audit-erasures.server";
import { deletePartnersCalled } from "~db/repositories/certificate-partners.server";
import {
  listInvoicedTo,
  listUninvoiced,
  noteErasedContact,
  setContacts,
  setInvoiceAddress,
} from "~db/repositories/erased-contacts.server";
import {
  listCompaniesWithoutMembers,
  listHeldCompanies,
  listTakenLogins,
} from "~db/repositories/erasure-circumstances.server";
import {
  deleteFormerDetails,
  deleteKeptForms,
  deleteOwnRows,
  deletePreparedImports,
  eraseCompany,
  eraseConfirmedMailboxes,
  eraseInvitations,
  eraseMails,
  eraseMentions,
  eraseSecurityEvents,
  eraseTries,
  eraseUser,
  isUnused,
  listMailsToErase,
  renameCompany,
} from "~db/repositories/erasure.server";
import { listFormerDetails } from "~db/repositories/former-details.server";
import { lockCompany } from "~db/repositories/members.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { lockUser, type UserRow } from "~db/repositories/users.server";
import { afterCommit } from "~db/transaction.server";
import { hashPassword } from "../passwords.server";
import { type Accounts, accountsOf, contactPlacesOf, findErasureBarriers, isAddressOf } from "./circumstances.server";
import { isInForce, pseudonymOf } from "./erasure.policy";

/**
 * Returns who is erased from the audit trail, with every address that the person has had. An address that was never confirmed, or that
 * somebody else has now, counts only in the entries by or about the person.
 */
async function personInTrail(db: DbOrTrx, { id, ids, accounts, emails }: Accounts): Promise<ErasedFromTrail> {
  const details = await listFormerDetails(db, ids);
  const called = (kind: "email" | "confirmed-email" | "name") =>
    details.filter((detail) => detail.kind === kind).map(({ text }) => text);
  const confirmed = [...emails, ...called("confirmed-email").map((email) => email.toLowerCase())];
  const former = [...(await listActorNames(db, ids)), ...called("email")].map((name) => name.toLowerCase());
  const taken = await listTakenLogins(db, { ids, logins: former });
  const isOnlyTheirs = (name: string) => confirmed.includes(name) && !taken.includes(name);
  const present = accounts.flatMap(({ email, username }) => [email.toLowerCase(), username.toLowerCase()]);
  const isProved = (name: string) => !name.includes("@") || confirmed.includes(name);
  const names = accounts.flatMap(({ firstName, lastName, telephoneNumber }) => [
    `${firstName} ${lastName}`,
    ...(telephoneNumber.length >= SHORTEST_NUMBER ? [telephoneNumber] : []),
  ]);
  return {
    id,
    ids,
    pseudonym: pseudonymOf(id).name,
    identifiers: [...new Set([...present.filter(isProved), ...former.filter(isOnlyTheirs)])].sort(),
    names: [
      ...names,
      ...called("name"),
      ...present.filter((name) => !isProved(name)),
      ...former.filter((name) => !isOnlyTheirs(name)),
    ],
    references: (await listHeldCompanies(db, ids))
      .filter(({ others }) => Number(others) === 0)
      .map((company) => companyReference(company.id)),
    singleNames: accounts.flatMap(({ firstName, lastName }) => [firstName, lastName]),
  };
}

/** Shorter telephone numbers could be any number in a text. */
const SHORTEST_NUMBER = 6;

/** What takes a while and is therefore done before the transaction. */
export interface ErasurePreparation {
  /** What the trail was searched for. */
  searchedFor: string;
  mentions: Mentions;
  /** The hash of a password that nobody knows. */
  passwordHash: string;
}

const searchedFor = ({ ids, identifiers, references }: ErasedFromTrail) =>
  JSON.stringify([ids, identifiers, references]);

/** Reads the audit trail for the entries with data of the person. The erasure itself reads only what is newer. */
export async function prepareErasure(id: number): Promise<ErasurePreparation> {
  const person = await personInTrail(getDb(), await accountsOf(getDb(), id));
  const passwordHash = await hashPassword(randomBytes(32).toString("base64url"));
  return { searchedFor: searchedFor(person), mentions: await findMentions(person), passwordHash };
}

/** Returns the JSON of a contact with the pseudonym in place of the person. Company and address are the company's, and stay. */
function erasedContact(json: string, id: number): string {
  const { name, email } = pseudonymOf(id);
  return JSON.stringify({
    ...parseContact(json),
    name,
    email,
    position: "",
    phoneNumber: "",
  } satisfies ContactSnapshot);
}

/** Stores the pseudonym as a contact of a certificate. */
export async function replaceContact(
  trx: Trx,
  { id, contact, json }: { id: number; contact: "technical" | "authentication"; json: string },
  userId: number,
): Promise<void> {
  const erased = erasedContact(json, userId);
  const { email } = pseudonymOf(userId);
  const change =
    contact === "technical"
      ? { technicalContact: erased }
      : {
          authenticationContact: erased,
          authenticationEmail: email,
          contactSearchText: contactSearchTextOf(pseudonymOf(userId)),
          contactNote: null,
        };
  await setContacts(trx, id, change);
  await eraseCorrectedContact(trx, { id, contact }, pseudonymOf(userId).name);
}

/**
 * Replaces the person as a contact of certificates that have ended. Of those in force it notes the contact, which is evidence until the end,
 * and no search finds it any more.
 */
async function eraseContacts(trx: Trx, accounts: Accounts, now: Date): Promise<void> {
  const { id: userId } = accounts;
  for (const { id, stored, contacts, ...certificate } of await contactPlacesOf(trx, accounts))
    for (const contact of contacts) {
      if (contact === "authentication") await endWithContact(trx, id, systemActor("erasure"), now);
      if (isInForce(certificate, now)) {
        await noteErasedContact(trx, { certificateId: id, contact, userId });
        if (contact === "authentication")
          await setContacts(trx, id, { contactSearchText: contactSearchTextOf(pseudonymOf(userId)) });
      } else await replaceContact(trx, { id, contact, json: stored[contact] }, userId);
    }
}

/**
 * Replaces the person in the invoice addresses of cancelled orders without an invoice, which no law asks to keep. Of the person's other
 * orders it replaces the email address, which no invoice states, so that no further invoice or credit note is sent to it.
 */
async function eraseInvoiceAddresses(trx: Trx, accounts: Accounts): Promise<void> {
  const { name, email } = pseudonymOf(accounts.id);
  for (const order of await listUninvoiced(trx, accounts.ownEmails)) {
    const address = JSON.parse(order.invoiceAddress) as Record<string, unknown>;
    if (!isAddressOf(accounts, String(address.email), order.userId)) continue;
    await setInvoiceAddress(trx, order.id, JSON.stringify({ ...address, name, email, phoneNumber: "" }));
  }
  for (const order of await listInvoicedTo(trx, accounts.ids, accounts.ownEmails)) {
    const address = JSON.parse(order.invoiceAddress) as Record<string, unknown>;
    if (!isAddressOf(accounts, String(address.email), order.userId)) continue;
    await setInvoiceAddress(trx, order.id, JSON.stringify({ ...address, email }));
  }
}

/**
 * Erases the companies of the person alone that ordered nothing, and renames those that have the person's name, among them those that
 * ended when the person joined another one.
 */
async function eraseCompanies(trx: Trx, { id, ids, accounts }: Accounts, now: Date): Promise<void> {
  const { name } = pseudonymOf(id);
  const names = accounts.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const own = names.map((text) => text.toLowerCase());
  const held = (await listHeldCompanies(trx, ids)).filter(({ others }) => Number(others) === 0);
  for (const company of [...held, ...(await listCompaniesWithoutMembers(trx, names))])
    if (await isUnused(trx, company.id)) await eraseCompany(trx, company.id, name, now);
    else if (own.includes(company.name.toLowerCase())) await renameCompany(trx, company.id, name, now);
}

async function eraseAccounts(trx: Trx, { id: person, ids }: Accounts, passwordHash: string, now: Date): Promise<void> {
  const { firstName, lastName } = pseudonymOf(person);
  for (const id of ids) {
    const { username, email } = pseudonymOf(id);
    await eraseUser(trx, id, { username, email, firstName, lastName, passwordHash }, now);
    await refreshOwnersCodes(trx, id);
    await refreshOrdersOwner(trx, { id, username });
  }
  await deleteFormerDetails(trx, ids); // last, because a change of an account notes what it was called before
}

/** What the audit entry adds. */
const LEFT_BY_ADDRESS = "The email address was not confirmed, so what is found only by it was left.";

interface Erasure {
  preparation: ErasurePreparation;
  actor: Actor;
  reason: string;
}

/**
 * Erases the data of a person in the caller's transaction. The account stays as a pseudonym, with what law and the audit trail keep. Tells the
 * person by mail. Throws a PortalError that says what must happen first. Orders that are being placed hold the account, so this waits for them
 * and then sees them.
 */
export async function erasePerson(
  trx: Trx,
  user: UserRow,
  { preparation, actor, reason }: Erasure,
  now: Date,
): Promise<void> {
  const accounts = await accountsOf(trx, user.id);
  for (const id of accounts.ids) await lockUser(trx, id, now);
  for (const { id } of await listHeldCompanies(trx, accounts.ids)) await lockCompany(trx, id, now);
  const barriers = await findErasureBarriers(trx, user, now);
  if (barriers.length > 0) throw new PortalError(barriers.join(" "), { code: "account.erase" });
  const person = await personInTrail(trx, accounts);
  const { ids, identifiers } = person;
  const emails = identifiers.filter((text) => text.includes("@"));
  const erased = { ids, identifiers, emails, ownEmails: accounts.ownEmails };
  const pseudonym = { ...pseudonymOf(user.id), inText: replacer(identifiers, pseudonymOf(user.id).name) };
  const mails = await listMailsToErase(trx, erased);
  await eraseContacts(trx, accounts, now);
  await eraseInvoiceAddresses(trx, accounts);
  await eraseCompanies(trx, accounts, now);
  await endWithErasure(trx, ids, pseudonymOf(user.id), { actor, now });
  await deleteOwnRows(trx, erased);
  await deleteKeptForms(
    trx,
    ids.flatMap((id) => [paths.user(id), accountPaths.changeUser(id)]),
  );
  await deletePreparedImports(trx, emails);
  await eraseInvitations(trx, erased, pseudonym, now);
  await eraseConfirmedMailboxes(trx, erased, pseudonym, now);
  await deletePartnersCalled(trx, erased.emails);
  await eraseMails(trx, erased, pseudonym, now);
  await eraseTries(trx, erased, LIMITS_BY_NAME);
  await eraseSecurityEvents(trx, erased, pseudonym);
  await eraseMentions(trx, erased, pseudonym);
  await eraseFromCorrections(trx, ids, inReasonOf(person));
  await eraseAccounts(trx, accounts, preparation.passwordHash, now);
  const isSame = searchedFor(person) === preparation.searchedFor;
  const mentions = isSame ? preparation.mentions : { upTo: 0, entries: [] };
  const why = inReasonOf(person)(reason);
  const left = accounts.emails.length < accounts.ownEmails.length ? ` ${LEFT_BY_ADDRESS}` : "";
  const message = (entries: number) =>
    `Erased the personal data of account ${user.id}, which is now '${pseudonym.name}': ${why}.${left} Entries of this trail from which it was erased: ${entries}.`;
  await eraseFromTrail(trx, person, mentions, { actor, message }, now);
  afterCommit(trx, async () => {
    await deleteOutboxFiles(mails);
    emptyWriteAheadLog();
  });
  if (user.emailVerifiedAt === null) return; // the address may be a stranger's
  const mail = dataErasedMail({ name: user.firstName, at: now, url: contactUrl() });
  await queueMail(trx, { dedupeKey: `${ERASED_MAIL}:${user.id}`, to: user.email, mail }, now);
}

/** The kind of the message to a person whose data was erased. */
export const ERASED_MAIL = "data-erased";
