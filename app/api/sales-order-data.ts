import { z } from "zod";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { orderNumber } from "~/domain/orders/order-number";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { type SalesOrderData } from "~/domain/orders/sales-order-data.service.server";
import { toWireDate, wireDate } from "./wire";

const euro = () => z.number().nullable().describe("Euro; null when there is none");

/** A sales order as B §3 has it; where it has two names for a field, both. */
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
  orderStatus: z.string().describe("One of codes/GetOrderStatuses"),
  remarks: z.string(),
  codeType: z.string().describe("The type of an order of codes; else `Certificate` or `Code Maintenance`"),
  numberOfCodes: z.number().int().describe("0 of an order that is not for codes"),
  orderTotal: z.number().describe("Euro, with VAT"),
  promotionCode: z.string(),
  invoiceNumber: z.string(),
  invoiceTotal: euro(),
  invoiceAmount: euro().describe("As `invoiceTotal`"),
  invoiceDate: wireDate(),
  paymentTotal: euro(),
  paymentAmount: euro().describe("As `paymentTotal`"),
  paymentDate: wireDate(),
  isMaintenance: z.boolean(),
  updatedAt: z.string().describe("When it was last changed, to the millisecond"),
});

/** The same with what a maintenance order charges for. */
export const wholeOrder = answeredOrder.extend({
  maintenanceCodes: z.array(
    z.object({
      code: z.string(),
      codeType: z.string(),
      cost: z.number().describe("Euro without VAT"),
      discountNumMonths: z.number().int().describe("Months of the year that are not charged"),
      subCode: z.array(z.string()),
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
    ...{ id, orderNumber: orderNumber(id), userName: row.username, email, company, userCompany: company, country },
    ...{ vatNumber: row.vatNumber ?? "", purchaseOrderNumber, orderDate, creationDate: orderDate },
    ...{ orderStatus: row.status, remarks: row.remarks ?? "", codeType: orderTypeLabel(row.orderType) },
    ...{ numberOfCodes: row.numberOfCodes ?? 0, orderTotal: row.totalCents / 100 },
    ...{ promotionCode: row.promotionCode ?? "", invoiceNumber: row.invoiceNumber ?? "" },
    ...{ invoiceTotal, invoiceAmount: invoiceTotal, invoiceDate: toWireDate(row.invoiceDate) },
    ...{ paymentTotal, paymentAmount: paymentTotal, paymentDate: toWireDate(row.paymentDate) },
    ...{ isMaintenance: row.isMaintenance === 1, updatedAt },
  };
}

export const toWholeOrder = ({ row, lines }: SalesOrderData): z.input<typeof wholeOrder> => ({
  ...toAnsweredOrder(row),
  maintenanceCodes: lines.map(({ code, codeType, costCents, discountNumMonths, subcodes }) => ({
    ...{ code, codeType: CODE_TYPE_LABELS[codeType], cost: costCents / 100, discountNumMonths },
    subCode: JSON.parse(subcodes) as string[],
  })),
});
