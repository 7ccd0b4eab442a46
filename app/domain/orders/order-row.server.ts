import { getConfig } from "~/lib/config.server";
import { type NewRow } from "~db/tables";
import { type CheckedInvoice } from "./invoice.service.server";
import { type Price, vatFor } from "./price.policy";

/** The data from which every sales order is stored. */
export interface Sale extends CheckedInvoice {
  userId: number;
  companyId: number;
  /** Null for an order that the portal makes itself. */
  draftId: string | null;
  purchaseOrderNumber: string;
  price: Price;
}

/** Returns the columns that orders of certificates and of codes share. The VAT is calculated here and nowhere else. */
export function saleColumns({ price, address, country, ...sale }: Sale, now: Date) {
  const { vatRate, vatCents, totalCents } = vatFor({ country, netCents: price.netCents, rate: getConfig().vatRate });
  return {
    userId: sale.userId,
    companyId: sale.companyId,
    draftId: sale.draftId,
    status: "Open",
    purchaseOrderNumber: sale.purchaseOrderNumber,
    createdAt: now,
    updatedAt: now,
    ...price,
    vatRate,
    vatCents,
    totalCents,
    vatNumber: address.vat || null,
    vatNumberChecked: sale.isVatChecked,
    invoiceAddress: JSON.stringify(address),
    countryId: country.id,
    company: address.company,
    isMaintenance: false,
  } satisfies Partial<NewRow<"orders">>;
}
