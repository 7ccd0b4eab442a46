import { listCalled, listStaffPersons, namedPersons } from "~/domain/accounts/former-details.server";
import { type Person } from "~/domain/accounts/same-person.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor } from "~/domain/audit/audit.service.server";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx } from "~db/connection.server";
import { CUSTOMER_CHANGED, listOrderActors } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listMembershipsAmong } from "~db/repositories/companies.server";
import { listUsersById, type UserRow } from "~db/repositories/users.server";
import { parseContact } from "../purchase/contact.schema";
import { isReissue } from "../succession/reissue.policy";
import { CHECK_TITLES } from "./checks.policy";
import {
  type FourEyesBarrier,
  type OrderParties,
  namesakesOf,
  whyNotAuthorise,
  whyNotDecide,
} from "./four-eyes.policy";

export const CONTACT_CHANGED = "order.contact-changed";

/** Whoever prepared an order or changed its contact may have chosen its key or its contact, and counts as somebody who placed it. */
export const PLACED = ["order.created", "order.prepared", CONTACT_CHANGED];
const REISSUED = "certificate.reissued";

/**
 * The events of recorded checks, with the names of the checks on the order's page. Whoever gave evidence for a check takes part in it, also
 * by an API client.
 */
const CHECKED: Readonly<Record<string, string>> = {
  "certificate.contact-checked": CHECK_TITLES.contact,
  "certificate.organisation-checked": CHECK_TITLES.organisation,
  "certificate.csr-checked": CHECK_TITLES.csr,
  "certificate.evidence-added": "Evidence for a check",
};

/** Returns the events with which somebody placed the order. Under `strict` a pending reissue is an order of whoever reissued. */
const placingEvents = (row: CertificateRow): readonly string[] =>
  fourEyes() === "strict" && row.status === "Pending" && isReissue(row) ? [...PLACED, REISSUED] : PLACED;

const contactOf = (row: CertificateRow) => ({
  name: parseContact(row.authenticationContact).name,
  email: row.authenticationEmail,
});

/** A change of the customer's details by staff who acted as the customer. */
export interface CustomerChange {
  by: UserRow;
  /** An ISO timestamp. */
  at: string;
}

/** The four-eyes principle as it applies to one user and some orders. */
export interface FourEyesFacts {
  /** The accounts of the user, of whoever acts as the user, of the owners, and of everybody else who has taken part in an order. */
  users: Map<number, UserRow>;
  /** Returns why the four-eyes principle keeps the user from checking one of the orders (or from approving it), or null. */
  whyNot: (task: "check" | "approve", row: CertificateRow) => FourEyesBarrier | null;
  /** Returns who of staff changed the details of an order's customer, as far as it counts for the order. */
  customerChanges: (row: CertificateRow) => CustomerChange[];
}

/** Reads who has taken part in these orders, at least one, in as many statements as for one. */
export async function readFourEyes(
  db: DbOrTrx,
  rows: readonly CertificateRow[],
  { id, actor }: Pick<SessionUser, "id"> & { actor?: Pick<Actor, "id"> },
): Promise<FourEyesFacts> {
  const mode = fourEyes();
  const events = [...new Set(rows.flatMap(placingEvents)), ...Object.keys(CHECKED)];
  const entries = await listOrderActors(db, rows, events);
  const taking = new Set([id, ...rows.map(({ userId }) => userId), ...entries.flatMap(({ ids }) => ids)]);
  const users = await listUsersById(db, [...taking, ...(typeof actor?.id === "number" ? [actor.id] : [])]);
  const viewer = users.find((user) => user.id === id);
  if (!viewer) throw new Error(`There is no account ${id}.`);
  const companyIds = [...new Set([viewer.companyId, ...rows.map(({ companyId }) => companyId)])];
  const called = await listCalled(db, users, companyIds);
  const memberships = await listMembershipsAmong(db, id, companyIds);
  const named = await namedPersons(db, rows.map(contactOf));
  const contacts = new Map(rows.map((row, index) => [row.id, named[index]]));
  const personsOf = (ids: readonly number[]) => [...new Set(ids)].flatMap((person) => called.people.get(person) ?? []);
  const entriesOf = (row: CertificateRow, ...names: readonly string[]) =>
    entries.filter(({ certificateId, event }) => certificateId === row.id && names.includes(event));
  const partiesOf = (row: CertificateRow): OrderParties => {
    const company = called.companies.get(row.companyId);
    const contact = contacts.get(row.id);
    if (!company || !contact) throw new Error(`Nothing was read about certificate ${row.id}.`);
    const placing = entriesOf(row, ...placingEvents(row)).flatMap(({ ids }) => ids);
    return {
      company,
      placedBy: personsOf([row.userId, ...placing]),
      checkedBy: entriesOf(row, ...Object.keys(CHECKED)).flatMap(({ event, at, ids }) =>
        personsOf(ids).map((by) => ({ by, check: CHECKED[event] ?? "", at: `${formatDateTime(at)} UTC` })),
      ),
      contact: row.status === "Pending" ? contact : null,
      changedBy: entriesOf(row, CUSTOMER_CHANGED).flatMap(({ at, ids }) =>
        personsOf(ids).map((by) => ({ by, at: `${formatDateTime(at)} UTC` })),
      ),
    };
  };
  const person = called.people.get(id) as Person;
  const whyNot: FourEyesFacts["whyNot"] = (task, row) => {
    const isMember = memberships.has(row.companyId);
    return whyNotDecide(task, { ...person, companies: called.companiesOf(viewer), isMember }, partiesOf(row), mode);
  };
  const byId = new Map(users.map((user) => [user.id, user]));
  const customerChanges = (row: CertificateRow): CustomerChange[] => {
    const found = entriesOf(row, CUSTOMER_CHANGED).flatMap(({ at, ids }) =>
      ids.flatMap((changer) => {
        const by = byId.get(changer);
        return by ? [{ by, at }] : [];
      }),
    );
    // One save can have an entry for the person and one for the company.
    return [...new Map(found.map((change) => [`${change.by.id} ${formatDateTime(change.at)}`, change])).values()];
  };
  return { users: byId, whyNot, customerChanges };
}

/** Returns why the authentication contact of an order cannot authorise it, or null. */
export async function whyNotAuthorised(db: DbOrTrx, row: CertificateRow): Promise<string | null> {
  const [contact] = await namedPersons(db, [contactOf(row)]);
  if (!contact) throw new Error(`Certificate ${row.id} has no contact.`);
  const placed = (await listOrderActors(db, [row], [...PLACED, REISSUED])).filter(
    ({ event }) => event !== CUSTOMER_CHANGED,
  );
  const placedBy = [row.userId, ...placed.flatMap(({ ids }) => ids)];
  return whyNotAuthorise(contact, { staff: await listStaffPersons(db), placedBy }, fourEyes());
}

/**
 * Returns the email addresses of the members of staff with the same name as the contact of an order, who may be another person, under the
 * strict four-eyes principle. Empty when the contact's address leads to a member of staff.
 */
export async function listNamesakes(db: DbOrTrx, row: CertificateRow): Promise<string[]> {
  if (fourEyes() !== "strict") return [];
  const [contact] = await namedPersons(db, [contactOf(row)]);
  return contact ? namesakesOf(contact, await listStaffPersons(db)).flatMap(({ emails }) => emails.slice(0, 1)) : [];
}

/** Returns why the four-eyes principle keeps this user from checking the order (or from approving it), or null. */
export const whyNotFourEyes = async (
  db: DbOrTrx,
  task: "check" | "approve",
  row: CertificateRow,
  user: Pick<SessionUser, "id">,
): Promise<FourEyesBarrier | null> => (await readFourEyes(db, [row], user)).whyNot(task, row);

/** The code of a refusal by the four-eyes principle, which is a security event. */
export const OWN_ORDER_CODE = "certificate.own-order";

export const ownOrder = ({ text, detail }: FourEyesBarrier) => new PortalError(text, { code: OWN_ORDER_CODE, detail });

/** Throws a PortalError when the four-eyes principle keeps this user from recording a check of the order. */
export async function requireFourEyes(
  db: DbOrTrx,
  task: "check" | "approve",
  row: CertificateRow,
  user: Pick<SessionUser, "id">,
): Promise<void> {
  const barrier = await whyNotFourEyes(db, task, row, user);
  if (barrier) throw ownOrder(barrier);
}
