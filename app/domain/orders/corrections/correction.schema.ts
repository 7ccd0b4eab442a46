import { z } from "zod";
import { contactSchema } from "~/domain/certificates/purchase/contact.schema";
import { requiredText } from "~/lib/fields";
import { type InvoiceCountry, invoiceAddressSchema } from "../invoice-address.schema";

/** The longest purchase order numbers: of certificates (PUR-08) and of codes (CPO-01). */
export const purchaseOrderLimit = (isCertificate: boolean): number => (isCertificate ? 50 : 35);

/** A corrected order: its purchase order number and its invoice address, with the rules of the wizard. */
export const correctedOrderSchema = (countries: readonly InvoiceCountry[], isCertificate: boolean) =>
  z.intersection(
    z.object({ purchaseOrderNumber: requiredText(purchaseOrderLimit(isCertificate)) }),
    invoiceAddressSchema(countries),
  );

/** A corrected technical contact. */
export const correctedTechnicalSchema = contactSchema;

/** A corrected authentication contact. The email address is not part of it, because it is the one that authorised the order. */
export const correctedContactSchema = contactSchema.omit({ email: true });
