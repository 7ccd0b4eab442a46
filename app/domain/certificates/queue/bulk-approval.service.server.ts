import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { NO_CLIENT } from "~/domain/security-events/client";
import { detailOf } from "~/domain/security-events/details";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { type Approval, approveOrdersOnce, whyNotApproved } from "../issuing/issuance.service.server";
import { listUnconfirmedNames } from "../request/confirmed-names.server";
import { OWN_ORDER_CODE } from "./four-eyes.server";
import { SELECTION_PROBLEMS, selectionProblem } from "./queue-fields";

/** An order as the pages of a bulk approval name it. Its texts are "" when there is no such order. */
export interface NamedOrder {
  id: number;
  orderNumber: string;
  commonName: string;
  organisation: string;
}

/** An order that is not approved, and the reason. */
export interface RefusedOrder extends NamedOrder {
  reason: string;
  /** The stable code of the reason. */
  code: string;
}

/** Returns how pages about several orders name one. */
export const namedOrder = ({ id, orderId, commonName, organisation }: CertificateRow): NamedOrder => ({
  id,
  orderNumber: orderNumber(orderId),
  commonName,
  organisation,
});

const FAILED = {
  reason: "An error occurred. The page of the order says whether its certificate is still being issued.",
  code: "certificate.failed",
};

/** The reason of an order that was shown as not ready, and can be approved by now. Only what was confirmed is approved. */
const NOT_CONFIRMED = {
  reason: "It was not ready when you confirmed, but is ready now. Select it again to approve it.",
  code: "certificate.not-confirmed",
};

/** Returns the reason for people. Other errors are logged. */
function reasonOf(error: unknown): Pick<RefusedOrder, "reason" | "code"> {
  if (isPortalError(error))
    return { reason: error.status === 404 ? "There is no such order." : error.message, code: error.code };
  logError(error);
  return FAILED;
}

/** Returns the ids without repetitions. Throws a PortalError when there is none, or more than BULK_LIMIT. */
export function requireSelection(ids: readonly number[]): number[] {
  const problem = selectionProblem(ids);
  if (problem) throw new PortalError(SELECTION_PROBLEMS[problem], { code: `certificate.${problem}`, field: "id" });
  return [...new Set(ids)];
}

const byId = (rows: readonly CertificateRow[]) => new Map(rows.map((row) => [row.id, namedOrder(row)]));

const namesOf = async (ids: readonly number[]): Promise<Map<number, NamedOrder>> =>
  byId(await listCertificatesById(getDb(), ids));

const nameOf = (names: ReadonlyMap<number, NamedOrder>, id: number): NamedOrder =>
  names.get(id) ?? { id, orderNumber: "", commonName: "", organisation: "" };

/**
 * Returns which of the selected orders this user can approve, and why not the others. Changes nothing. Throws what `requireSelection`
 * throws, and a PortalError (403) when the user's rights do not allow approvals.
 */
export async function checkSelected(ids: readonly number[], user: SessionUser, now = new Date()) {
  const selected = requireSelection(ids);
  const barriers = await whyNotApproved(selected, user, now);
  const rows = await listCertificatesById(getDb(), selected);
  const [names, unconfirmed] = [byId(rows), await listUnconfirmedNames(rows, now)];
  const barred = selected.filter((id) => barriers.has(id));
  return {
    ready: selected
      .filter((id) => !barriers.has(id))
      .map((id) => ({ ...nameOf(names, id), unconfirmed: unconfirmed.get(id) ?? [] })),
    refused: barred.map((id): RefusedOrder => ({ ...nameOf(names, id), ...reasonOf(barriers.get(id)) })),
  };
}

/** Returns what came of the approvals, for a page or a call. */
async function resultOf(approvals: readonly Approval[]) {
  const names = await namesOf(approvals.map(({ id }) => id));
  return {
    issued: approvals.flatMap((one) =>
      "issued" in one ? [{ ...namedOrder(one.issued), serialNumber: one.issued.serialNumber ?? "" }] : [],
    ),
    refused: approvals.flatMap((one): RefusedOrder[] =>
      "error" in one ? [{ ...nameOf(names, one.id), ...reasonOf(one.error) }] : [],
    ),
  };
}

interface Approving {
  now?: Date;
  onEach?: () => void;
}

/** Records the refusals of the four-eyes principle as security events, as the page of an order does. */
function noteRefusals(approvals: readonly Approval[], { id, actor }: SessionUser): void {
  const { name: actorName, impersonatorId = null, client = NO_CLIENT } = actor;
  for (const one of approvals)
    if ("error" in one && isPortalError(one.error) && one.error.code === OWN_ORDER_CODE) {
      const event = { event: "access.refused", userId: id, actorName, impersonatorId, client } as const;
      void recordSecurityEvent(getDb(), { ...event, detail: detailOf(one.error) });
    }
}

/**
 * Approves the selected orders in one act, and issues their certificates. An order that cannot be approved stops no other. The same
 * selection sent again by the same person gets the same answer. `onEach` is called for each order when its answer is known. Returns what was issued, and what was refused and why. Throws what
 * `checkSelected` throws.
 */
export async function approveSelected(
  ids: readonly number[],
  user: SessionUser,
  { now = new Date(), onEach }: Approving = {},
) {
  const approvals = await approveOrdersOnce(requireSelection(ids), user, now, onEach);
  noteRefusals(approvals, user);
  return resultOf(approvals);
}

export type BulkResult = Awaited<ReturnType<typeof approveSelected>>;

/**
 * Approves the orders that the user has confirmed, as `approveSelected` does. The orders that the question showed as not ready are refused,
 * each with the reason that holds now, even when they are ready by now.
 */
export async function approveConfirmed(
  confirmed: readonly number[],
  notReady: readonly number[],
  user: SessionUser,
  { now = new Date(), onEach = () => undefined }: Approving = {},
): Promise<BulkResult> {
  requireSelection([...confirmed, ...notReady]);
  const { issued, refused } = await approveSelected(confirmed, user, { now, onEach });
  const others = notReady.filter((id) => !confirmed.includes(id));
  if (others.length === 0) return { issued, refused };
  const checked = await checkSelected(others, user, now);
  const unconfirmed = checked.ready.map((order): RefusedOrder => ({ ...order, ...NOT_CONFIRMED }));
  return { issued, refused: [...refused, ...checked.refused, ...unconfirmed] };
}
