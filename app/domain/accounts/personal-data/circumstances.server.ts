import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { orderNumber } from "~/domain/orders/order-number";
import { type DbOrTrx } from "~db/connection.server";
import {
  countHoldings,
  listAccountsOfPerson,
  listCertificateContacts,
  listHeldCompanies,
  listTwins,
} from "~db/repositories/erasure-circumstances.server";
import { type DataSubject } from "~db/repositories/personal-data.server";
import { type UserRow } from "~db/repositories/users.server";
import { STAFF_RIGHT_NAMES } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";
import { type HeldCompany, whatStopsErasure } from "./erasure.policy";

type PersonAccount = Awaited<ReturnType<typeof listAccountsOfPerson>>[number];

/** A person: the account and those that were merged into it. */
export interface Accounts extends DataSubject {
  id: number;
  ids: number[];
  accounts: readonly PersonAccount[];
}

/**
 * Returns whether the address of an account is the person's beyond doubt. Accounts are merged only by somebody who has confirmed the address
 * that they share, and nobody can have the address of an erased account.
 */
const isConfirmed = ({ emailVerifiedAt, mergedInto, erasedAt }: PersonAccount): boolean =>
  emailVerifiedAt !== null || mergedInto !== null || erasedAt !== null;

const emailsIn = (accounts: readonly PersonAccount[]): string[] => [
  ...new Set(accounts.map(({ email }) => email.toLowerCase())),
];

/** Returns the accounts of a person with their addresses. */
export async function accountsOf(db: DbOrTrx, id: number): Promise<Accounts> {
  const accounts = await listAccountsOfPerson(db, id);
  const ids = accounts.map((account) => account.id);
  return { id, ids, accounts, emails: emailsIn(accounts.filter(isConfirmed)), ownEmails: emailsIn(accounts) };
}

/** Returns whether an address is the person's in what the account `madeBy` ordered. */
export const isAddressOf = ({ ids, emails, ownEmails }: DataSubject, email: string, madeBy: number): boolean =>
  (ids.includes(madeBy) ? ownEmails : emails).includes(email.toLowerCase());

/** Returns the certificates with contacts that have an address of the person, and which contacts these are. */
export async function contactPlacesOf(db: DbOrTrx, accounts: Accounts) {
  return (await listCertificateContacts(db, accounts.ownEmails)).flatMap(
    ({ technicalContact, authenticationContact, ...certificate }) => {
      const stored = { technical: technicalContact, authentication: authenticationContact };
      const isTheirs = (json: string) => isAddressOf(accounts, parseContact(json).email, certificate.userId);
      const contacts = (["technical", "authentication"] as const).filter((contact) => isTheirs(stored[contact]));
      return contacts.length > 0 ? [{ ...certificate, stored, contacts }] : [];
    },
  );
}

async function companiesOf(db: DbOrTrx, ids: readonly number[], now: Date): Promise<HeldCompany[]> {
  const rows = await listHeldCompanies(db, ids);
  return Promise.all(
    rows.map(async ({ id, name, role, others, otherOwners }) => ({
      name,
      isOwner: role === "owner",
      hasOthers: Number(others) > 0,
      hasOtherOwner: Number(otherOwners) > 0,
      holdings: await countHoldings(db, id, now),
    })),
  );
}

/** Returns what must happen before the data of this person can be erased, one sentence each. */
export async function findErasureBarriers(db: DbOrTrx, user: UserRow, now: Date): Promise<string[]> {
  const accounts = await accountsOf(db, user.id);
  const { ids, emails } = accounts;
  const rights = await staffRightsOf(db, user);
  const pending = (await contactPlacesOf(db, accounts)).filter(({ status }) => status === "Pending");
  return whatStopsErasure({
    isErased: user.erasedAt !== null,
    isMerged: user.mergedInto !== null,
    staffRights: user.isAdmin ? ["Admin"] : rights.map((right) => STAFF_RIGHT_NAMES[right]),
    twins: await listTwins(db, { ids, emails }),
    companies: await companiesOf(db, ids, now),
    contactOf: pending.map(({ orderId }) => orderNumber(orderId)),
  });
}
