import { may, type RightsHolder, rightNeeded } from "~/domain/accounts/rights.policy";
import { isReissueByStaff } from "~/domain/certificates/succession/reissue.policy";
import { leftText, salesOrderer } from "~/domain/companies/people.server";
import { findStop } from "~/domain/mail/contact-stop.service.server";
import { withOpened } from "~/domain/merge-form.server";
import { storedVat } from "~/domain/reference/vat.service.server";
import { addressText } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { findCountry } from "~db/repositories/countries.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { listStatedCorrections } from "./corrections/made-corrections.server";
import { overpaidText, settlementText } from "./corrections/settlement.policy";
import { parseInvoiceAddress } from "./invoice-address.schema";
import { orderNumber } from "./order-number";
import { orderTypeLabel } from "./order-types";
import { ORDER_CANCELLED } from "./sales-order-fields";

const dayOf = (timestamp: string | null) => timestamp?.slice(0, 10) ?? "";
const euroOf = (cents: number | null) => (cents === null ? "" : (cents / 100).toFixed(2));

/** Returns the initial values of an order's form, and why nothing can be changed any more (null when it can). */
export const salesOrderForm = (order: OrderRow, viewer: RightsHolder) => ({
  values: withOpened({
    status: order.status,
    remarks: order.remarks ?? "",
    promotionCode: order.promotionCode ?? "",
    invoiceNumber: order.invoiceNumber ?? "",
    invoiceTotal: euroOf(order.invoiceCents),
    invoiceDate: dayOf(order.invoiceDate),
    paymentTotal: euroOf(order.paymentCents),
    paymentDate: dayOf(order.paymentDate),
    seen: order.updatedAt,
  }),
  barrier: may(viewer, "change-sales-orders")
    ? order.status === "Cancelled"
      ? ORDER_CANCELLED
      : null
    : rightNeeded("change-sales-orders"),
});

export type SalesOrderFormState = ReturnType<typeof salesOrderForm>;

/** Returns who placed an order, and whether that person has left the company. */
async function ordererText(
  { companyId, company, isMaintenance }: OrderRow,
  user: UserRow,
  certificate: Parameters<typeof salesOrderer>[1],
  clientName: string | null,
): Promise<string> {
  const name = salesOrderer({ ...user, isMaintenance, clientName }, certificate);
  if (isMaintenance || (certificate && isReissueByStaff(certificate))) return name;
  return name + (await leftText(getDb(), { companyId, company }, [user.id]))(user.id);
}

/** Returns what is to be paid after a correction, or to be paid back and how to record it, in sentences, or null. */
function staffSettlement(order: OrderRow, isCorrected: boolean): string | null {
  if (overpaidText(order) !== null) {
    const isDoubtful = order.vatNumber !== null && !order.vatNumberChecked;
    const first = isDoubtful ? "No VAT service has confirmed the VAT number: check it before you pay back." : "";
    return [settlementText(order), first, "When it is paid back, enter the payment that remains."]
      .filter(Boolean)
      .join(" ");
  }
  return isCorrected ? settlementText(order) : null;
}

/** Returns a sales order as staff see it (SAL-03), or null. */
export async function findSalesOrder(id: number, viewer: RightsHolder) {
  const order = await findOrder(getDb(), id);
  if (!order) return null;
  const { name, email: typedEmail, phoneNumber: _, vat: __, ...address } = parseInvoiceAddress(order.invoiceAddress);
  const email = typedEmail || ""; // Orders of older versions have no email address.
  const [user, certificate, country, invoiceStop, placer, corrections] = await Promise.all([
    findUserById(getDb(), order.userId),
    findCertificateByOrder(getDb(), order.id),
    findCountry(getDb(), order.countryId),
    findStop(email),
    findOrderPlacer(getDb(), order.id),
    listStatedCorrections(getDb(), order.id),
  ]);
  return {
    id: order.id,
    orderNumber: orderNumber(order.id),
    status: order.status,
    invoiceEmail: email,
    /** The name and, in one line, the address of the invoice. */
    invoiceTo: { name, address: addressText(address) },
    /** When the owner of the invoice address stopped all messages, or null. */
    invoiceStop,
    userName: user?.username ?? "",
    company: order.company,
    companyId: order.companyId,
    orderedBy: user ? await ordererText(order, user, certificate, placer?.clientName ?? null) : "",
    /** The administrator who acted as the customer, or null. */
    actingFor: placer?.impersonatorEmail ?? null,
    country: country?.printableName ?? "",
    vat: storedVat(order, country),
    purchaseOrderNumber: order.purchaseOrderNumber,
    orderDate: order.createdAt,
    type: orderTypeLabel(order.orderType),
    /** Set only for an order of codes. */
    numberOfCodes: order.numberOfCodes,
    totalCents: order.totalCents,
    customerNote: order.customerNote,
    isMaintenance: order.isMaintenance,
    certificateId: certificate?.id ?? null,
    corrections,
    /** What is to be paid or to be paid back, or null. */
    settlement: staffSettlement(order, corrections.length > 0),
    form: salesOrderForm(order, viewer),
    mayAllowMessages: may(viewer, "allow-messages"),
  };
}

export type SalesOrder = NonNullable<Awaited<ReturnType<typeof findSalesOrder>>>;
