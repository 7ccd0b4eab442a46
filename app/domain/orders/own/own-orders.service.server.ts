import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateDraftText } from "~/domain/certificates/purchase/contact.service.server";
import { findOpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { hasStaffActed } from "~/domain/certificates/purchase/preparers.server";
import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { codeWizard } from "~/domain/codes/purchase/draft.server";
import { codeDraftText } from "~/domain/codes/purchase/steps.service.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { listResumable } from "~/domain/drafts/drafts.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countCompanyOrders, listCompanyOrders, type OwnOrderRow } from "~db/repositories/own-orders.server";
import { orderedText } from "./ordered-text";
import { type OwnOrderListParams } from "./own-order-list";
import { certificateProgressText, codeProgressText } from "./progress.policy";

/** Returns what was ordered, in words. */
const whatText = ({ commonName, certificateOrderType, previousCertificateId, ...row }: OwnOrderRow): string =>
  orderedText({
    ...row,
    certificate:
      commonName === null || certificateOrderType === null
        ? null
        : { commonName, orderType: certificateOrderType, previousCertificateId },
  });

const progressText = ({ certificateStatus, serialNumber, ...row }: OwnOrderRow): string =>
  certificateStatus === null
    ? codeProgressText(row.status)
    : certificateProgressText({ ...row, certificateStatus, isIssuing: serialNumber !== null }) +
      (row.status === "Invoiced" ? ", not paid" : "");

/** Returns a page of the orders of the company in which the user works, the latest first, or those that are not paid. */
export async function listOwnOrders({ companyId }: SessionUser, params: OwnOrderListParams) {
  const orders = { companyId, unpaid: params.unpaid };
  const total = await countCompanyOrders(getDb(), orders);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const rows = await listCompanyOrders(getDb(), orders, { offset: (page - 1) * params.size, limit: params.size });
  return {
    rows: rows.map((row) => ({
      id: row.id,
      orderNumber: orderNumber(row.id),
      what: whatText(row),
      orderedAt: row.createdAt,
      purchaseOrderNumber: row.purchaseOrderNumber,
      totalCents: row.totalCents,
      progress: progressText(row),
    })),
    total,
    pages,
    params: { ...params, page },
  };
}

export type OwnOrder = Awaited<ReturnType<typeof listOwnOrders>>["rows"][number];

/** No draft has this id, so that all drafts of a kind are listed. */
const NO_DRAFT = "";

/** Returns this user's orders that are not complete, by wizard, those changed last first. */
export async function listUnfinished(user: SessionUser, now = new Date()) {
  const mayOrder = mayAsMember(user, "place-orders");
  const listed = async (wizard: typeof purchaseWizard) => {
    const drafts = await listResumable(user.id, { id: NO_DRAFT, wizard }, ({ contact }) => contact !== undefined, now);
    const open = await Promise.all(drafts.map((draft) => findOpenOrder(user, draft, now)));
    return Promise.all(
      open
        .filter((order) => order !== null)
        .filter(({ barrier }) => barrier === null)
        .map(async ({ draft, original }) => ({
          id: draft.id,
          what: certificateDraftText(draft.data, original),
          updatedAt: draft.updatedAt,
          isByStaff: await hasStaffActed(user, draft),
          isHandedOver: draft.handedOverAt !== null,
        })),
    );
  };
  const codes = mayOrder
    ? await listResumable(user.id, { id: NO_DRAFT, wizard: codeWizard }, ({ order }) => order !== undefined, now)
    : [];
  return {
    purchase: mayOrder ? await listed(purchaseWizard) : [],
    renew: mayAsMember(user, "prepare-renewals") ? await listed(renewalWizard) : [],
    codes: codes.map(({ id, data, updatedAt }) => ({ id, what: codeDraftText(user, data), updatedAt })),
  };
}
