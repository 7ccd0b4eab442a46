import { type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { prepareLinted } from "~/ca/lint/prepared.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { issuerOfNew, issuerOfSuccessor } from "~/domain/authorities/life.policy";
import { getSigner } from "~/domain/authorities/signers.server";
import { type KeyComparison, findWeakKeys } from "~/domain/keys/key-comparison.service.server";
import { authorityKeys } from "~/domain/keys/key-rules.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { isOpenOrder, notOpen } from "../queue/order-decision.policy";
import { csrVerdict } from "../request/csr-import.service.server";
import { listPrevious, previousOf, successorEnd } from "../succession/successor-issuing.server";
import {
  type Approver,
  csrOf,
  keptSsid,
  type OrderToApprove,
  rsaKeysOf,
  requireAcceptableCsr,
  requireApprovable,
} from "./approval.server";
import { requestForOrder } from "./issuance-request.server";
import { requireNoLintErrors } from "./lints.server";

/** An approval that a user has asked for. */
export interface AskedApproval {
  id: number;
  user: Approver;
}

export interface PreparedApproval extends OrderToApprove {
  authority: Authority;
  prepared: PreparedCertificate;
}

export type Refused = Map<number, unknown>;

/** Returns the open orders among these, with their CSRs. */
export async function readOpen(asked: readonly AskedApproval[], refused: Refused): Promise<OrderToApprove[]> {
  const found = await listCertificatesById(
    getDb(),
    asked.map(({ id }) => id),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  return asked.flatMap(({ id, user }) => {
    const row = rows.get(id);
    try {
      if (!row) throw notFound();
      if (!isOpenOrder(row)) throw notOpen(row);
      return [{ row, csr: csrOf(row), user }];
    } catch (error) {
      refused.set(id, error);
      return [];
    }
  });
}

/** An order whose CSR has been checked by the rules that concern nothing but the CSR. */
export interface JudgedOrder extends OrderToApprove {
  /** Whether the CSR breaks one of them. `withAcceptableCsr` finds out which. */
  isDoubtful: boolean;
}

/** Checks the CSRs of these orders, in worker threads. Puts what stopped a check in `refused`. */
export async function judgeCsrs(orders: readonly OrderToApprove[], refused: Refused): Promise<JudgedOrder[]> {
  const judge = async (order: OrderToApprove): Promise<JudgedOrder[]> => {
    try {
      return [{ ...order, isDoubtful: (await csrVerdict(order.csr, keptSsid(order.row))).length > 0 }];
    } catch (error) {
      refused.set(order.row.id, error);
      return [];
    }
  };
  return (await Promise.all(orders.map(judge))).flat();
}

/**
 * Returns the orders whose CSR and key are fine by all rules that the transaction does not check, and how their keys were compared. Only for
 * the others it finds out, one by one, why they are refused. What is missing is reported before anything that blocks a key, because nobody
 * finds out why a key is blocked.
 */
export async function withAcceptableCsr(
  orders: readonly JudgedOrder[],
  authorities: readonly Authority[],
  now: Date,
  refused: Refused,
): Promise<{ fine: OrderToApprove[]; comparison: KeyComparison }> {
  const own = await authorityKeys(authorities);
  const comparison = await findWeakKeys(rsaKeysOf(orders.filter(({ isDoubtful }) => !isDoubtful)));
  const fine: OrderToApprove[] = [];
  for (const order of orders) {
    const { id, keyIdentity } = order.row;
    if (!order.isDoubtful && !own.includes(keyIdentity) && !comparison.weak.has(keyIdentity)) {
      fine.push(order);
      continue;
    }
    try {
      await requireApprovable(getDb(), order, now);
      await requireAcceptableCsr(order);
      fine.push(order); // it became acceptable meanwhile
    } catch (error) {
      refused.set(id, error);
    }
  }
  return { fine, comparison };
}

/**
 * Returns the CA that issues the certificate of an order: that of the certificate which the order renews or replaces, while it renews and
 * covers the end (REN-04), and otherwise the issuing CA of the order's hierarchy. Throws a PortalError when none issues.
 */
export function issuerFor(
  row: CertificateRow,
  previous: CertificateRow | null,
  authorities: readonly Authority[],
  now: Date,
): Authority {
  const { hierarchy } = row;
  const issuer = previous
    ? issuerOfSuccessor(
        authorities.filter((authority) => authority.hierarchy === hierarchy),
        { authorityId: previous.authorityId, hierarchy, end: successorEnd(row, previous, now) },
        now,
      )
    : issuerOfNew(authorities, hierarchy, now);
  if (issuer) return issuer;
  throw new PortalError("No CA issues certificates at present. The operators of the portal can change that.", {
    code: "certificate.no-issuer",
  });
}

/** Prepares the certificates that these orders ask for. What keeps an order from being approved comes before what keeps it from being prepared. */
export async function prepareAll(
  orders: readonly OrderToApprove[],
  authorities: readonly Authority[],
  now: Date,
  refused: Refused,
): Promise<PreparedApproval[]> {
  const previous = await listPrevious(
    getDb(),
    orders.map(({ row }) => row),
  );
  const tried = async <T>(order: OrderToApprove, work: () => Promise<T>): Promise<T[]> => {
    try {
      return [await work()];
    } catch (error) {
      const barrier = await requireApprovable(getDb(), order, now).then(
        () => error,
        (found: unknown) => found,
      );
      refused.set(order.row.id, barrier);
      return [];
    }
  };
  const all: PreparedApproval[] = [];
  for (const order of orders) {
    const { row, csr } = order;
    const prepare = async () => {
      const followed = previousOf(row, previous);
      const authority = issuerFor(row, followed, authorities, now);
      await getSigner(authority.name); // a missing key stops the approval before anything is recorded
      const certificate = prepareLinted(requestForOrder(row, csr, followed, authority, now));
      requireNoLintErrors(certificate, authority);
      return { ...order, authority, prepared: certificate.prepared };
    };
    all.push(...(await tried(order, prepare)));
  }
  return all;
}
