import { listedCompany, may, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { namesPeople, personName, salesOrderer, withClients } from "~/domain/companies/people.server";
import { lacksApplicant, mayAsMember, roleNeeded } from "~/domain/companies/roles.policy";
import { documentsByOrder } from "~/domain/orders/invoices/order-documents.server";
import { orderNumber } from "~/domain/orders/order-number";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { PortalError } from "~/lib/errors";
import { foldForSearch } from "~/lib/fold-text";
import { findPageOf, type Glance } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { type CalledPart } from "~db/keyset.server";
import { listAvailableCodes } from "~db/repositories/available-codes.server";
import {
  type CodeListRow,
  type CodeTerm,
  countCodes,
  countSubcodesOf,
  findCodes,
  listCodes,
} from "~db/repositories/code-list.server";
import { listCodeOrders, countCodeOrders } from "~db/repositories/code-orders.server";
import { countSubcodes, findCode } from "~db/repositories/codes.server";
import { findUserById } from "~db/repositories/users.server";
import { type OrderStatus } from "~db/tables";
import { CODE_STATUSES, CODE_TYPES } from "~db/tables/codes";
import { CODE_TYPE_LABELS, fullCode } from "../code-types";
import { whyNoSubEntity } from "../codes.policy";
import { type CodeListParams } from "./code-list";

/** The number of orders that the page shows, the latest first (COD-01). */
const ORDER_ROWS = 10;

export type CodeIntent = "view" | "sub-entity";

const isBeginning = (text: string, word: string) => word.length >= 3 && text.toLowerCase().startsWith(word);

/** Returns the words of a search. A row must match all of them. */
const termsOf = (search: string): CodeTerm[] =>
  foldForSearch(search)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      text: word,
      statuses: CODE_STATUSES.filter((status) => isBeginning(status, word)),
      types: CODE_TYPES.filter((type) => CODE_TYPE_LABELS[type].split(" ").some((part) => isBeginning(part, word))),
    }));

/** Returns why this user may not register sub-entities under a code, or null. */
function whyMayNotRegister(user: SessionUser, code: { companyId: number }): string | null {
  if (lacksApplicant(user, "register-codes")) return "Only applicants can register sub-entities.";
  if (code.companyId !== user.companyId) return "Only the owner of a code can register sub-entities under it.";
  return mayAsMember(user, "register-codes") ? null : roleNeeded("register-codes");
}

const toListItem = (row: CodeListRow & { clientName: string | null }, subEntities: number, user: SessionUser) => {
  const barrier = whyMayNotRegister(user, row) ?? whyNoSubEntity({ ...row, subEntities });
  return {
    id: row.id,
    code: row.code,
    subcode: row.subcode,
    fullCode: fullCode(row),
    codeType: CODE_TYPE_LABELS[row.codeType],
    company: row.company,
    companyId: row.companyId,
    registeredBy: personName(row),
    email: row.email,
    entityName: row.entityName,
    status: row.status,
    /** Why an action is not possible on the code, by the button's `intent`. */
    barriers: barrier === null ? {} : { "sub-entity": barrier },
  };
};

export type CodeListItem = ReturnType<typeof toListItem>;

/** Returns the filter for the codes of the list that this user may see. */
export function codeFilterFor(user: SessionUser, params: CodeListParams & Glance) {
  const companyId = listedCompany(user, "see-customers", params.companyId);
  return findCodes(getDb(), { companyId, terms: termsOf(params.search) }, params.isGlance);
}

/**
 * Returns one page of the codes that this user may see: all, or those of one company, for administrators, those of their company for others.
 * When the requested page is past the end, this is the last page.
 */
export async function listCodesFor(user: SessionUser, params: CodeListParams & Glance) {
  const filter = await codeFilterFor(user, params);
  const { size, sort } = params;
  const { offset, ...counted } = await findPageOf(params, (limit) => countCodes(getDb(), filter, limit));
  const found = await listCodes(getDb(), filter, { sort, offset, limit: size });
  const rows = await withClients(found, "codeId", ({ id }) => id);
  const subEntities = await countSubcodesOf(
    getDb(),
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => toListItem(row, subEntities.get(row.id) ?? 0, user)),
    ...counted,
    /** Whether the table says who registered. */
    withPeople: await namesPeople(user, rows),
  };
}

/**
 * Returns the latest orders of codes: everybody's, or those of one company, for administrators, who record the payments, those of their
 * company for others.
 *
 * @param all Returns all orders instead of the latest. Ignored for administrators.
 */
export async function listOrdersFor(
  user: SessionUser,
  { all = false, chosen }: { all?: boolean; chosen: number | null },
) {
  const companyId = listedCompany(user, "see-sales-orders", chosen);
  const count = (limit: number) => countCodeOrders(getDb(), companyId, limit);
  const { total, hasMore } = await findPageOf({ page: 1, size: ORDER_ROWS }, count);
  const limit = all && !may(user, "see-sales-orders") ? total : ORDER_ROWS;
  const found = await listCodeOrders(getDb(), companyId, { limit });
  const orders = await withClients(found, "orderId", ({ id }) => id);
  const documents = await documentsByOrder(
    getDb(),
    orders.map(({ id }) => id),
  );
  const rows = orders.map(({ orderType, ...order }) => ({
    ...order,
    orderedBy: salesOrderer(order),
    documents: documents.get(order.id) ?? [],
    orderNumber: orderNumber(order.id),
    codeType: orderTypeLabel(orderType),
  }));
  /** `withPeople` says whether the table says who ordered. */
  return { rows, total, hasMore, withPeople: await namesPeople(user, orders) };
}

/**
 * Returns a part of the orders of codes of a company for JSON calls: the latest first or, with `updatedSince`, the oldest change first. A page
 * past the end is empty. The company is that of the caller, or the one in which another user works.
 */
export async function listOrderRowsOf(
  caller: SessionUser,
  userId: number,
  { page, size: limit, ...part }: CalledPart<OrderStatus>,
) {
  const user = userId === caller.id ? caller : await findUserById(getDb(), userId);
  if (!user) return [];
  const orders = await listCodeOrders(getDb(), user.companyId, { ...part, limit, offset: (page - 1) * limit });
  return withClients(orders, "orderId", ({ id }) => id);
}

export type CodeOrderItem = Awaited<ReturnType<typeof listOrdersFor>>["rows"][number];

/** Returns how many codes of each type the user's company can still register. */
export const listAvailableFor = async (user: SessionUser) =>
  (await listAvailableCodes(getDb(), user.companyId)).map(({ codeType, quantity }) => ({
    type: codeType,
    codeType: CODE_TYPE_LABELS[codeType],
    quantity,
  }));

export type AvailableCode = Awaited<ReturnType<typeof listAvailableFor>>[number];

/** Throws a PortalError for the field `id` when this user cannot do this with the code, and says why. */
export async function requireCodeIntent(user: SessionUser, id: number, intent: CodeIntent): Promise<void> {
  const refusal = (reason: string) => new PortalError(reason, { code: `code.${intent}`, field: "id" });
  const row = await findCode(getDb(), id);
  if (!row || !maySee(user, row)) throw refusal("The code was not found.");
  if (intent === "view") return;
  const barrier =
    whyMayNotRegister(user, row) ?? whyNoSubEntity({ ...row, subEntities: await countSubcodes(getDb(), id) });
  if (barrier) throw refusal(barrier);
}
