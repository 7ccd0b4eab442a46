import { companyOf, personsOf, withCompanies } from "~/domain/accounts/former-details.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx } from "~db/connection.server";
import { listOrderActors } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findRole } from "~db/repositories/companies.server";
import { findUserById, findUserFor, listUsersById } from "~db/repositories/users.server";
import { isReissue } from "../succession/reissue.policy";
import { type OrderParties, whyNotDecide } from "./four-eyes.policy";

const PLACED = ["order.created"];
const CHECKED = ["certificate.contact-checked", "certificate.organisation-checked", "certificate.csr-checked"];

/** Returns the events with which somebody placed the order. Under `strict` a pending reissue is an order of whoever reissued. */
const placingEvents = (row: CertificateRow): readonly string[] =>
  fourEyes() === "strict" && row.status === "Pending" && isReissue(row) ? [...PLACED, "certificate.reissued"] : PLACED;

/** Returns everybody who has taken part in an order, as the audit trail names them. */
async function partiesOf(db: DbOrTrx, row: CertificateRow): Promise<OrderParties> {
  const placing = placingEvents(row);
  const entries = await listOrderActors(db, row, [...placing, ...CHECKED]);
  const idsOf = (events: readonly string[]) =>
    entries.filter(({ event }) => events.includes(event)).flatMap(({ ids }) => ids);
  const users = await listUsersById(db, [row.userId, ...entries.flatMap(({ ids }) => ids)]);
  const people = await personsOf(db, users);
  const owner = await findUserFor(db, row);
  if (!owner) throw new Error(`Certificate ${row.id} has no owner.`);
  const withIds = (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id));
  return {
    company: await companyOf(db, owner),
    placedBy: withIds([row.userId, ...idsOf(placing)]),
    checkedBy: withIds(idsOf(CHECKED)),
  };
}

/** Returns why the four-eyes principle keeps this user from checking the order (or from approving it), or null. */
export async function whyNotFourEyes(
  db: DbOrTrx,
  task: "check" | "approve",
  row: CertificateRow,
  { id }: Pick<SessionUser, "id">,
): Promise<string | null> {
  const viewer = await findUserById(db, id);
  if (!viewer) throw new Error(`There is no account ${id}.`);
  const isMember = (await findRole(db, { companyId: row.companyId, userId: id })) !== null;
  return whyNotDecide(task, { ...(await withCompanies(db, viewer)), isMember }, await partiesOf(db, row), fourEyes());
}

/** Throws a PortalError when the four-eyes principle keeps this user from checking the order, or from approving it. */
export async function requireFourEyes(
  db: DbOrTrx,
  task: "check" | "approve",
  row: CertificateRow,
  user: Pick<SessionUser, "id">,
): Promise<void> {
  const barrier = await whyNotFourEyes(db, task, row, user);
  if (barrier) throw new PortalError(barrier, { code: "certificate.own-order" });
}
