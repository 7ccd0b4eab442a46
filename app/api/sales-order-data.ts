import { z } from "zod";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { orderNumber } from "~/domain/orders/order-number";
import { ORDER_TYPE_LABELS, orderTypeLabel } from "~/domain/orders/order-types";
import { type SalesOrderData } from "~/domain/orders/sales-order-data.service.server";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { answeredCodeType } from "./code-data";
import { answeredCorrection, toAnsweredCorrection } from "./order-correction";
import { toWireDate, wireDate, wireVersion } from "./wire";

/** Returns the schema of an order's type in answers. */
export const answeredOrderType = () =>
  z.string().openapi({
    enum: [...Object.values(ORDER_TYPE_LABELS), ""],
    description: "What it is for; empty for an old order of codes that does not state it",
  });

const euro = () => z.number().nullable().describe("Euro; null when there is none");

/** A sales order (SAL-03). Where SAL-03 has two names for a field, the answer has both. */
export const answeredOrder = z.object({
  id: z.number().int(),
  orderNumber: z.string(),
  userName: z.string(),
  email: z.string(),
  company: z.string(),
  userCompany: z.string().describe("As `company`"),
  country: z.string(),
  vatNumber: z.string(),
  purchaseOrderNumber: z.string(),
  orderDate: wireDate(),
  creationDate: wireDate().describe("As `orderDate`"),
  orderStatus: z.enum(ORDER_STATUSES),
  remarks: z.string(),
  codeType: answeredOrderType(),
  numberOfCodes: z.number().int().describe("0 for an order that is not for codes"),
  orderTotal: z.number().describe("Euro, with VAT"),
  promotionCode: z.string(),
  invoiceNumber: z.string(),
  invoiceTotal: euro(),
  invoiceAmount: euro().describe("As `invoiceTotal`"),
  invoiceDate: wireDate(),
  paymentTotal: euro(),
  paymentAmount: euro().describe("As `paymentTotal`"),
  paymentDate: wireDate(),
  isMaintenance: z.boolean().describe("Of the yearly maintenance of codes"),
  updatedAt: wireVersion(),
});

/** A sales order with its corrections and the items that a maintenance order charges for. */
export const wholeOrder = answeredOrder.extend({
  corrections: z.array(answeredCorrection).describe("What the customer corrected, the oldest first"),
  maintenanceCodes: z.array(
    z.object({
      code: z.string(),
      codeType: answeredCodeType(),
      cost: z.number().describe("Euro without VAT"),
      discountNumMonths: z.number().int().describe("Months of the year that are not charged"),
      subCode: z.array(z.string()).describe("Sub-codes that are charged for"),
    }),
  ),
});

const euroOf = (cents: number | null) => (cents === null ? null : cents / 100);

export function toAnsweredOrder(row: SalesOrderData["row"]): z.input<typeof answeredOrder> {
  const { id, email, company, country, purchaseOrderNumber, updatedAt } = row;
  const [orderDate, invoiceTotal, paymentTotal] = [
    toWireDate(row.createdAt),
    euroOf(row.invoiceCents),
    euroOf(row.paymentCents),
  ];
  return {
    id,
    orderNumber: orderNumber(id),
    userName: row.username,
    email,
    company,
    userCompany: company,
    country,
    vatNumber: row.vatNumber ?? "",
    purchaseOrderNumber,
    orderDate,
    creationDate: orderDate,
    orderStatus: row.status,
    remarks: row.remarks ?? "",
    codeType: orderTypeLabel(row.orderType),
    numberOfCodes: row.numberOfCodes ?? 0,
    orderTotal: row.totalCents / 100,
    promotionCode: row.promotionCode ?? "",
    invoiceNumber: row.invoiceNumber ?? "",
    invoiceTotal,
    invoiceAmount: invoiceTotal,
    invoiceDate: toWireDate(row.invoiceDate),
    paymentTotal,
    paymentAmount: paymentTotal,
    paymentDate: toWireDate(row.paymentDate),
    isMaintenance: row.isMaintenance,
    updatedAt,
  };
}

export const toWholeOrder = ({ row, lines, corrections }: SalesOrderData): z.input<typeof wholeOrder> => ({
  ...toAnsweredOrder(row),
  corrections: corrections.map(toAnsweredCorrection),
  maintenanceCodes: lines.map(({ code, codeType, costCents, discountNumMonths, subcodes }) => ({
    code,
    codeType: CODE_TYPE_LABELS[codeType],
    cost: costCents / 100,
    discountNumMonths,
    subCode: JSON.parse(subcodes) as string[],
  })),
});
