import { type Csr } from "~/ca/csr/read.server";
import { type RuleCode } from "~/ca/csr/rules/catalogue";
import { type SessionUser } from "~/domain/accounts/session-user";
import { whyNoTask } from "~/domain/accounts/staff-rights.server";
import { KEY_OF_ANOTHER, type KeyFacts, readKeyFacts, refusalsByFacts } from "~/domain/keys/key-rules.server";
import { isCertifiedForAnother, isOfOtherSubject } from "~/domain/keys/key-use.policy";
import { type ComparedKey } from "~/domain/keys/shared-primes.server";
import { asLines, type BrokenRule } from "~/lib/broken-rule";
import { isPortalError, PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listWithinStanding } from "~db/repositories/standing-authorisations.server";
import { missingForApproval } from "../queue/checks.policy";
import { type FourEyesFacts, ownOrder, readFourEyes } from "../queue/four-eyes.server";
import { readRequired, whyNotControlled } from "../request/confirmed-names.server";
import { csrRefusals } from "../request/csr-import.service.server";
import { explainedBreach, explainRefusals, READING_CODES } from "../request/explained-rules.server";
import { readCsrOfOrder } from "../request/given-subject.server";
import { listPrevious, whyNotIssued } from "../succession/successor-issuing.server";

/** Who approves an order: a person, or a standing authorisation for the person who approved it. */
export type Approver = Pick<SessionUser, "id" | "actor"> & {
  /** The standing authorisation within which the order must be. */
  standingId?: number;
};

/** An open order with its CSR. */
export interface ReadOrder {
  row: CertificateRow;
  csr: Csr;
}

/** Returns the keys of these orders that are compared with all others. */
export const rsaKeysOf = (orders: readonly ReadOrder[]): ComparedKey[] =>
  orders.flatMap(({ row, csr }) =>
    csr.publicKey.algorithm === "RSA" ? [{ keyIdentity: row.keyIdentity, modulus: csr.publicKey.modulus }] : [],
  );

/** An open order, and who is to approve it. */
export interface OrderToApprove extends ReadOrder {
  user: Approver;
}

interface Facts {
  /** What the four-eyes principle depends on, or the error of a user whose rights do not allow approvals. */
  fourEyes: FourEyesFacts | PortalError;
  keys: Map<string, KeyFacts>;
  /** The certificates that the orders renew or replace, by id. */
  previous: Map<number, CertificateRow>;
  /** The names that the companies of the orders have confirmed, where the configuration requires that, or null. */
  confirmed: Awaited<ReturnType<typeof readRequired>>;
  /** The standing authorisation in force within which each of the orders is, by id. */
  within: ReadonlyMap<number, number>;
}

/** Returns the error about the key of an order by the rule that the key breaks. */
const badKey = (code: RuleCode, message: string) =>
  new PortalError(message, { code: `certificate.${code}`, rules: [explainedBreach(code, message)] });

const NOT_CONFIRMED =
  "The customer has not confirmed every name of this order, so it cannot be approved yet. This is what the customer has to do:";

/** Returns the error about the names of an order that its company has not confirmed. Its message has a line for each. */
const unconfirmed = (rules: readonly BrokenRule[]) =>
  new PortalError(asLines([NOT_CONFIRMED, ...rules.map(({ message }) => message)]), {
    code: "certificate.domain-not-confirmed",
    rules,
  });

const notWithin = () =>
  new PortalError("The standing authorisation has ended meanwhile.", { code: "certificate.standing-ended" });

/** Returns the error that names why an order cannot be approved, or null. */
function barrierOf(
  { row, csr, user }: OrderToApprove,
  { fourEyes, keys, previous, confirmed, within }: Facts,
  now: Date,
): PortalError | null {
  if (isPortalError(fourEyes)) return fourEyes;
  const isStanding = user.standingId !== undefined;
  if (isStanding && within.get(row.id) !== user.standingId) return notWithin();
  const ownBarrier = isStanding ? null : fourEyes.whyNot("approve", row);
  if (ownBarrier) return ownOrder(ownBarrier);
  const emailVerifiedAt = fourEyes.users.get(row.userId)?.emailVerifiedAt ?? null;
  const missing = missingForApproval({ ...row, emailVerifiedAt });
  if (missing.length > 0) return new PortalError(missing.join(" "), { code: "certificate.checks-missing" });
  const barrier = whyNotIssued(row, previous, now);
  if (barrier) return new PortalError(barrier, { code: "certificate.renewal" });
  const uncontrolled = whyNotControlled(row, confirmed);
  if (uncontrolled.length > 0) return unconfirmed(uncontrolled);
  const key = keys.get(row.keyIdentity) as KeyFacts;
  if (key.holders.some((holder) => isCertifiedForAnother(holder, row.companyId)))
    return csrRefused([explainedBreach("key-of-another", KEY_OF_ANOTHER)]);
  if (key.isBlocked)
    return badKey("key-blocked", "The public key of this order is blocked because it was compromised.");
  if (key.list !== null)
    return badKey(
      "key-listed",
      `The public key of this order is on the list '${key.list}' of known bad keys: reject the order.`,
    );
  if (key.holders.some((holder) => isOfOtherSubject(holder, row)))
    return badKey(
      "key-in-use",
      "The public key of this order belongs to a certificate or an order of another subject: reject one of the orders.",
    );
  const refusals = refusalsByFacts(key, csr, row.companyId);
  return refusals.length > 0 ? csrRefused(explainRefusals(refusals)) : null;
}

/** Decides about the approval of orders, one after the other. */
export interface ApprovalRules {
  /** Returns the error that names everything that keeps the user from approving the order, or null. */
  whyNot: (order: OrderToApprove) => PortalError | null;
  /** Notes that an order is approved. From then on its key counts as certified for the orders that follow. */
  approved: (order: ReadOrder) => void;
}

/** Orders are of the same approver when one account decides about them in the same way: itself, or through the same API client. */
const approverKey = ({ id, actor, standingId }: Approver) =>
  `${id} ${actor.id} ${actor.apiClientId ?? ""} ${standingId ?? ""}`;

/** Reads the rights of each approver, and what the four-eyes principle depends on, by `approverKey`. */
async function readApprovers(db: DbOrTrx, orders: readonly OrderToApprove[]): Promise<Map<string, Facts["fourEyes"]>> {
  const facts = new Map<string, Facts["fourEyes"]>();
  for (const { user } of orders) {
    const key = approverKey(user);
    if (facts.has(key)) continue;
    const rows = orders.filter((order) => approverKey(order.user) === key).map(({ row }) => row);
    const fourEyes = await readFourEyes(db, rows, user);
    const refusal = await whyNoTask(db, fourEyes.users, user.actor, "approve-orders");
    facts.set(key, refusal ?? fourEyes);
  }
  return facts;
}

/**
 * Reads what the approval of these orders, at least one, depends on, in as many statements as for one when one person approves them all. A
 * transaction that decides about the orders must lock their keys and the orders first.
 */
export async function readApprovalRules(
  db: DbOrTrx,
  orders: readonly OrderToApprove[],
  now: Date,
): Promise<ApprovalRules> {
  const rows = orders.map(({ row }) => row);
  const approvers = await readApprovers(db, orders);
  const keys = await readKeyFacts(
    db,
    orders.map(({ csr, row }) => ({ ...csr, keyIdentity: row.keyIdentity })),
  );
  const previous = await listPrevious(db, rows);
  const companyIds = rows.map(({ companyId }) => companyId);
  const confirmed = await readRequired(db, companyIds, now);
  const isStanding = orders.some(({ user }) => user.standingId !== undefined);
  const ids = rows.map(({ id }) => id);
  const within = isStanding ? await listWithinStanding(db, ids, now) : new Map<number, number>();
  return {
    whyNot: (order) => {
      const fourEyes = approvers.get(approverKey(order.user)) as Facts["fourEyes"];
      return barrierOf(order, { fourEyes, keys, previous, confirmed, within }, now);
    },
    approved: ({ row }) => {
      for (const holder of keys.get(row.keyIdentity)?.holders ?? [])
        if (holder.id === row.id) holder.isCertified = true;
    },
  };
}

/** Throws a PortalError that names everything that keeps the user from approving an open order. */
export async function requireApprovable(db: DbOrTrx, order: OrderToApprove, now = new Date()): Promise<void> {
  const barrier = (await readApprovalRules(db, [order], now)).whyNot(order);
  if (barrier) throw barrier;
}

/** Returns the CSR of an order. Throws a PortalError when the current rules no longer allow reading it. */
export function csrOf(row: CertificateRow): Csr {
  const read = readCsrOfOrder(row);
  if (!read.ok) throw csrRefused([explainedBreach(READING_CODES[read.code], read.message)]);
  return read.csr;
}

/** Returns the OFTP ID that a successor keeps. */
export const keptSsid = ({ previousCertificateId, ssid }: Pick<CertificateRow, "previousCertificateId" | "ssid">) =>
  previousCertificateId === null ? null : ssid;

/**
 * Applies the current rules to the CSR of an open order. They are the rules of the import, but they, the lists or other orders may have
 * changed since. A successor keeps its OFTP ID. Throws a PortalError that names every broken rule. Runs outside transactions.
 */
export async function requireAcceptableCsr({ csr, row, user }: OrderToApprove): Promise<void> {
  const refusals = await csrRefusals(csr, { ...row, actor: user.actor }, keptSsid(row));
  if (refusals.length > 0) throw csrRefused(explainRefusals(refusals));
}

const NOT_ACCEPTED = "The CSR of this order is not accepted any more: reject the order.";

/** Returns the error for an order whose CSR breaks these rules. Its message has a line for each. */
export const csrRefused = (rules: readonly BrokenRule[]) =>
  new PortalError(asLines([NOT_ACCEPTED, ...rules.map(({ message }) => message)]), {
    code: "certificate.csr-refused",
    rules,
  });
