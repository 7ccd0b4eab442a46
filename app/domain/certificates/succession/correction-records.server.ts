import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { correctionOrderedMail } from "~/domain/mail/templates/certificates.server";
import { type Correction } from "~/domain/orders/corrections/correction";
import { orderNumber } from "~/domain/orders/order-number";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { requestAuthorisation } from "../queue/authorisation-request.server";
import { SUPERSEDED_AFTER_DAYS } from "./correction.policy";

/** A correction that has just been ordered. */
export interface CorrectionOrder {
  orderId: number;
  certificateId: number;
  /** The certificate that it corrects. */
  corrects: CertificateRow;
  changes: readonly Correction[];
  /** Its number, such as COR-2026-0001. */
  number: string;
}

/** Records the audit entries of an ordered correction, confirms it to the customer, and asks the authentication contact. */
export async function recordOrderedCorrection(
  trx: Trx,
  user: SessionUser,
  { orderId, certificateId, corrects, changes, number }: CorrectionOrder,
  now: Date,
): Promise<void> {
  const order = orderNumber(orderId);
  const about = { actor: user.actor, userId: user.id };
  const placed = { ...about, orderId, certificateId };
  await recordAudit(
    trx,
    { ...placed, event: "order.created", message: `Order ${order} placed.`, reference: number },
    now,
  );
  const what = changes.map(({ label }) => label.toLowerCase()).join(", ");
  const message = `Correction ${number} of certificate ${corrects.id} requested with order ${order}, as certificate ${certificateId}: ${what}.`;
  const event = "certificate.correction-requested";
  await recordAudit(trx, { ...placed, event, message, reference: number }, now);
  const old = { ...about, orderId: corrects.orderId, certificateId: corrects.id };
  await recordAudit(trx, { ...old, event, message, reference: number }, now);
  const mail = correctionOrderedMail({
    name: `${user.firstName} ${user.lastName}`,
    number,
    orderNumber: order,
    certificateId: corrects.id,
    changes,
    days: SUPERSEDED_AFTER_DAYS,
    url: getEnv().publicUrl + paths.order(orderId),
  });
  await queueOwnMail(trx, user.id, { dedupeKey: `correction-ordered:${orderId}`, orderId, mail }, now);
  await requestAuthorisation(trx, { certificateId, clientName: user.apiClient?.name ?? null }, now);
}
