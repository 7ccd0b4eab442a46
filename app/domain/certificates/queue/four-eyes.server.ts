import { listCalled } from "~/domain/accounts/former-details.server";
import { type Person } from "~/domain/accounts/same-person.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx } from "~db/connection.server";
import { listOrderActors } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listMembershipsAmong } from "~db/repositories/companies.server";
import { listUsersById, type UserRow } from "~db/repositories/users.server";
import { isReissue } from "../succession/reissue.policy";
import { type OrderParties, whyNotDecide } from "./four-eyes.policy";

/** Whoever prepared an order may have chosen its key or its contact, and counts as somebody who placed it. */
const PLACED = ["order.created", "order.prepared"];
const CHECKED = ["certificate.contact-checked", "certificate.organisation-checked", "certificate.csr-checked"];

/** Returns the events with which somebody placed the order. Under `strict` a pending reissue is an order of whoever reissued. */
const placingEvents = (row: CertificateRow): readonly string[] =>
  fourEyes() === "strict" && row.status === "Pending" && isReissue(row) ? [...PLACED, "certificate.reissued"] : PLACED;

/** The four-eyes principle as it applies to one user and some orders. */
export interface FourEyesFacts {
  /** The accounts of the user, of whoever acts as the user, of the owners, and of everybody else who has taken part in an order. */
  users: Map<number, UserRow>;
  /** Returns why the four-eyes principle keeps the user from checking one of the orders (or from approving it), or null. */
  whyNot: (task: "check" | "approve", row: CertificateRow) => string | null;
}

/** Reads who has taken part in these orders, at least one, in as many statements as for one. */
export async function readFourEyes(
  db: DbOrTrx,
  rows: readonly CertificateRow[],
  { id, actor }: Pick<SessionUser, "id"> & { actor?: Pick<Actor, "id"> },
): Promise<FourEyesFacts> {
  const mode = fourEyes();
  const entries = await listOrderActors(db, rows, [...new Set(rows.flatMap(placingEvents)), ...CHECKED]);
  const taking = new Set([id, ...rows.map(({ userId }) => userId), ...entries.flatMap(({ ids }) => ids)]);
  const users = await listUsersById(db, [...taking, ...(typeof actor?.id === "number" ? [actor.id] : [])]);
  const viewer = users.find((user) => user.id === id);
  if (!viewer) throw new Error(`There is no account ${id}.`);
  const companyIds = [...new Set([viewer.companyId, ...rows.map(({ companyId }) => companyId)])];
  const called = await listCalled(db, users, companyIds);
  const memberships = await listMembershipsAmong(db, id, companyIds);
  const personsOf = (ids: readonly number[]) => [...new Set(ids)].flatMap((person) => called.people.get(person) ?? []);
  const partiesOf = (row: CertificateRow): OrderParties => {
    const idsOf = (events: readonly string[]) =>
      entries
        .filter(({ certificateId, event }) => certificateId === row.id && events.includes(event))
        .flatMap(({ ids }) => ids);
    const company = called.companies.get(row.companyId);
    if (!company) throw new Error(`Certificate ${row.id} has no owner.`);
    return {
      company,
      placedBy: personsOf([row.userId, ...idsOf(placingEvents(row))]),
      checkedBy: personsOf(idsOf(CHECKED)),
    };
  };
  const person = called.people.get(id) as Person;
  const whyNot: FourEyesFacts["whyNot"] = (task, row) => {
    const isMember = memberships.has(row.companyId);
    return whyNotDecide(task, { ...person, companies: called.companiesOf(viewer), isMember }, partiesOf(row), mode);
  };
  return { users: new Map(users.map((user) => [user.id, user])), whyNot };
}

/** Returns why the four-eyes principle keeps this user from checking the order (or from approving it), or null. */
export const whyNotFourEyes = async (
  db: DbOrTrx,
  task: "check" | "approve",
  row: CertificateRow,
  user: Pick<SessionUser, "id">,
): Promise<string | null> => (await readFourEyes(db, [row], user)).whyNot(task, row);

/** The code of a refusal by the four-eyes principle, which is a security event. */
export const OWN_ORDER_CODE = "certificate.own-order";

export const ownOrder = (barrier: string) => new PortalError(barrier, { code: OWN_ORDER_CODE });

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
