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
import { type UserRow } from "~db/repositories/users.server";
import { STAFF_RIGHT_NAMES } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";
import { type HeldCompany, whatStopsErasure } from "./erasure.policy";

type PersonAccount = Awaited<ReturnType<typeof listAccountsOfPerson>>[number];

/** A person: the account and those that were merged into it. */
export interface Accounts {
  id: number;
  ids: number[];
  accounts: readonly PersonAccount[];
  /** In lower case, without duplicates. */
  emails: string[];
}

/** Returns the accounts of a person with their addresses. */
export async function accountsOf(db: DbOrTrx, id: number): Promise<Accounts> {
  const accounts = await listAccountsOfPerson(db, id);
  const emails = [...new Set(accounts.map(({ email }) => email.toLowerCase()))];
  return { id, ids: accounts.map((account) => account.id), accounts, emails };
}

/** Returns the certificates with contacts that have an address of the person, and which contacts these are. */
export async function contactPlacesOf(db: DbOrTrx, emails: readonly string[]) {
  const isTheirs = (json: string) => emails.includes(parseContact(json).email.toLowerCase());
  return (await listCertificateContacts(db, emails)).flatMap(
    ({ technicalContact, authenticationContact, ...certificate }) => {
      const stored = { technical: technicalContact, authentication: authenticationContact };
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
  const { ids, emails } = await accountsOf(db, user.id);
  const rights = await staffRightsOf(db, user);
  const pending = (await contactPlacesOf(db, emails)).filter(({ status }) => status === "Pending");
  return whatStopsErasure({
    isErased: user.erasedAt !== null,
    isMerged: user.mergedInto !== null,
    staffRights: user.isAdmin ? ["Admin"] : rights.map((right) => STAFF_RIGHT_NAMES[right]),
    twins: await listTwins(db, { ids, emails }),
    companies: await companiesOf(db, ids, now),
    contactOf: pending.map(({ orderId }) => orderNumber(orderId)),
  });
}
