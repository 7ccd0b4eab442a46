import { z } from "zod";
import { listOrderRowsOf } from "~/domain/codes/list/service.server";
import { salesOrderer } from "~/domain/companies/people.server";
import { openExport, prepareExport } from "~/domain/orders/list/export-draft.service.server";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { findSalesOrderRows } from "~/domain/orders/list/service.server";
import { LIST_TEXTS, MOST_CHOSEN } from "~/domain/orders/list/texts";
import { ORDER_TYPE_LABELS, orderTypeLabel, readOrderType } from "~/domain/orders/order-types";
import { getCodeInvoice, getSalesOrderData } from "~/domain/orders/sales-order-data.service.server";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { csvResponse, fileResponse } from "~/http/files.server";
import { messages } from "~/lib/messages";
import { call, fileCall, group } from "../call";
import { atFields, InvalidInput } from "../check";
import { PART_NOTES, partOf, partShape, partQueryOf } from "../cursor.server";
import { TAKEN_DATES, day } from "../dates";
import { pageShape } from "../paging";
import { answeredOrder, answeredOrderType, toAnsweredOrder, toWholeOrder, wholeOrder } from "../sales-order-data";
import { STAFF_FOR_OTHERS, ofUser, subjectOf } from "../user-details.server";
import { id, queryId, toWireDate, wireDate } from "../wire";
import { payCall, updateCall } from "./sales-order-update.server";

const IN_PARTS = `The newest first. ${PART_NOTES}`;

const wholeList = { page: pageShape.page, ...partShape };
const page = z.object(wholeList).strict();

const criteria = z
  .object({
    from: day().describe(`First day: ${TAKEN_DATES}`),
    to: day().describe(`Last day: ${TAKEN_DATES}`),
    userName: z.string().describe("A part of the user name or email address"),
    country: z.string().describe("Of the invoice: `id` of UserRegistration/GetCountries; `-1`: none"),
    status: z.string().openapi({ enum: [...ORDER_STATUSES, " "] }),
    company: z.string().describe("Beginnings of its words"),
    orderNumber: z.string().describe("Whole, `SO-1005`, or its digits"),
    orderType: z
      .string()
      .openapi({ enum: [...Object.values(ORDER_TYPE_LABELS), " "], description: "In upper or lower case" }),
  })
  .partial()
  .extend(wholeList)
  .strict();

type Criteria = z.output<typeof criteria>;

/** Returns the texts that were sent. */
const given = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));

/** Returns the criteria as the query string of the page's search. The caption of an order type becomes the type. */
const typedSearch = ({ from, to, orderType = "", userName, country, status, company, orderNumber }: Criteria) =>
  new URLSearchParams({
    ...given({ userName, country, status, company, orderNumber }),
    from: from ?? "",
    to: to ?? "",
    orderType: readOrderType(orderType) ?? orderType,
  });

type FoundOrder = Parameters<typeof toAnsweredOrder>[0];

/** Returns the handler of a list of sales orders. */
const searchOf = (path: string) => async (query: Criteria) => {
  const part = partQueryOf(path, query);
  const wanted = { ...salesOrderList.read(typedSearch(query)), page: query.page ?? 1, size: part.size };
  const found = await findSalesOrderRows(wanted, part);
  if ("errors" in found) throw new InvalidInput(found.errors);
  const positionOf = ({ id: orderId, createdAt, updatedAt }: FoundOrder) => ({
    at: part.updatedSince === null ? createdAt : updatedAt,
    id: orderId,
  });
  return partOf(part, found.rows, { positionOf, toWire: toAnsweredOrder });
};

const ownOrder = z.object({
  id: z.number().int(),
  creationDate: wireDate(),
  codeType: answeredOrderType(),
  numberOfCodes: z.number().int(),
  orderTotal: z.number().describe("Euro, with VAT"),
  invoiceNumber: z.string(),
  orderStatus: z.enum(ORDER_STATUSES),
  paymentDate: wireDate(),
  orderedBy: z
    .string()
    .describe(
      "The name of the person who ordered, with the API client if one did it for them; `The portal` for the yearly maintenance",
    ),
});

type OwnOrder = Awaited<ReturnType<typeof listOrderRowsOf>>[number];

const toOwnOrder = ({ orderType, createdAt, totalCents, status, ...row }: OwnOrder): z.input<typeof ownOrder> => ({
  id: row.id,
  creationDate: toWireDate(createdAt),
  codeType: orderTypeLabel(orderType),
  numberOfCodes: row.numberOfCodes ?? 0,
  orderTotal: totalCents / 100,
  invoiceNumber: row.invoiceNumber ?? "",
  orderStatus: status,
  paymentDate: toWireDate(row.paymentDate),
  orderedBy: salesOrderer(row),
});

const chosen = z.array(id()).min(1, LIST_TEXTS.chooseSome).max(MOST_CHOSEN, LIST_TEXTS.tooMany).describe("Ids");

const administration = group("Sales orders", [
  call({
    path: "codes/getSalesOrders",
    method: "GET",
    who: "see-sales-orders",
    clients: "read",
    summary: "All sales orders: of codes, of certificates and of code maintenance",
    notes: IN_PARTS,
    failure: "OCA0L01E",
    isInParts: true,
    input: page,
    output: z.array(answeredOrder),
    handle: searchOf("codes/getSalesOrders"),
  }),
  call({
    path: "codes/searchSalesOrders",
    method: "GET",
    who: "see-sales-orders",
    clients: "read",
    summary: "Searches the sales orders",
    notes: IN_PARTS,
    failure: "OCA0L02E",
    isInParts: true,
    input: criteria,
    output: z.array(answeredOrder),
    handle: searchOf("codes/searchSalesOrders"),
  }),
  call({
    path: "codes/getSalesOrder",
    method: "GET",
    who: "see-sales-orders",
    clients: "read",
    summary: "One sales order",
    failure: "OCA0M02E",
    refuses: { 404: "There is no such order" },
    input: z.object({ id: queryId() }).strict(),
    output: wholeOrder,
    handle: async ({ id: orderId }) => toWholeOrder(await getSalesOrderData(orderId)),
  }),
  updateCall,
  payCall,
  call({
    path: "codes/exportCsv",
    method: "POST",
    who: "see-sales-orders",
    needsProof: true,
    summary: "Prepares a CSV file of sales orders; answers its name, for codes/downloadCsv",
    notes: "The file is there for an hour, for the caller only.",
    failure: "OCA0L03E",
    refuses: {
      422: "One of the orders does not exist, which `errors` names (`orders.export`), or a field is not valid",
    },
    input: z.object({ salesOrderIds: chosen }).strict(),
    output: z.string(),
    handle: ({ salesOrderIds }, { user }) =>
      atFields({ "orders.export": "salesOrderIds" }, () => prepareExport(user, salesOrderIds)),
  }),
  fileCall({
    path: "codes/downloadCsv",
    method: "GET",
    who: "see-sales-orders",
    summary: "A CSV file that codes/exportCsv has prepared",
    failure: "OCA0L03E",
    refuses: { 404: "There is no such file, or it was prepared for somebody else or more than an hour ago" },
    input: z.object({ fileName: z.string().max(100, messages.outOfRange) }).strict(),
    output: { mediaTypes: ["text/csv"], description: "The sales orders" },
    handle: async ({ fileName }, { user }) => csvResponse(await openExport(user, fileName), fileName),
  }),
  call({
    path: "codes/getUserSalesOrders",
    method: "GET",
    who: "user",
    clients: "read",
    summary:
      "The orders of codes of the caller's company; for staff who see sales orders, also those of another user's company",
    notes: IN_PARTS,
    failure: "OCA0B01E",
    refuses: STAFF_FOR_OTHERS,
    isInParts: true,
    input: ofUser.extend({ status: z.enum(ORDER_STATUSES).optional(), ...wholeList }),
    output: z.array(ownOrder),
    handle: async (query, caller) => {
      const part = partQueryOf("codes/getUserSalesOrders", query);
      const selected = { status: query.status ?? null, page: query.page ?? 1 };
      const userId = subjectOf(query, caller, "see-sales-orders");
      const rows = await listOrderRowsOf(caller.user, userId, { ...part, ...selected });
      const positionOf = ({ id: orderId, updatedAt }: OwnOrder) => ({
        at: part.updatedSince === null ? null : updatedAt,
        id: orderId,
      });
      return partOf(part, rows, { positionOf, toWire: toOwnOrder });
    },
  }),
]);

const files = group("Downloads", [
  fileCall({
    path: "invoices/DownloadCodeInvoice",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The invoice of an order of codes",
    failure: "OCA0B01E",
    refuses: {
      404: "There is no such order of codes, or it is somebody else's",
      422: "There is no invoice yet, or a field is not valid",
    },
    input: z.object({ salesOrderId: queryId() }).strict(),
    output: {
      mediaTypes: ["application/pdf"],
      description: "The latest invoice of the order, even when a credit note cancelled it",
    },
    handle: async ({ salesOrderId }, { user }) => fileResponse(await getCodeInvoice(user, salesOrderId)),
  }),
]);

export const salesOrderCalls = [...administration, ...files];
