import { orderNumber } from "~/domain/orders/order-number";
import { numberOf } from "~/domain/orders/typed-number";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  countPromotionCodes,
  findPromotionBatch,
  listPromotionCodes,
  type PromotionCodeListRow,
} from "~db/repositories/promotion-code-list.server";
import { type PromotionCodeListParams } from "./promotion-code-list";
import { codeState, whyNotWithdraw } from "./promotion-code-state.policy";

function toListItem(row: PromotionCodeListRow, now: Date) {
  const state = codeState(row, now);
  const barrier = whyNotWithdraw(state);
  return {
    code: row.code,
    valueCents: row.valueCents,
    months: row.months,
    validUntil: row.validUntil,
    createdAt: row.createdAt,
    state,
    /** The order that used the code, or null. `certificateId` is for the link to it. */
    order:
      row.usedByOrderId === null
        ? null
        : { number: orderNumber(row.usedByOrderId), certificateId: row.certificateId, usedAt: row.usedAt },
    /** Why the code cannot be withdrawn, by the button's `intent`. Empty when it can be. */
    barriers: (barrier === null ? {} : { withdraw: barrier }) as Record<string, string>,
  };
}

export type PromotionCodeItem = ReturnType<typeof toListItem>;

/** Returns one page of all promotion codes. When the requested page is past the end, this is the last page. */
export async function listCodesForAdmin(params: PromotionCodeListParams, now = new Date()) {
  const { state, batch, search, size, sort } = params;
  const filter = { state, batch, text: search, orderId: numberOf(search.toLowerCase()), now };
  const total = await countPromotionCodes(getDb(), filter);
  const pages = pagesOf(total, size);
  const page = Math.min(params.page, pages);
  const rows = await listPromotionCodes(getDb(), filter, { sort, offset: (page - 1) * size, limit: size });
  return {
    rows: rows.map((row) => toListItem(row, now)),
    total,
    pages,
    params: { ...params, page },
    /** The batch when only its codes are shown, else null. */
    batch: batch === null ? null : await findPromotionBatch(getDb(), batch),
  };
}
