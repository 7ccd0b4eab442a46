import { ADDRESS_LABELS, CONTACT_FIELDS, INVOICE_FIELDS } from "~/domain/certificates/purchase/fields";

/** The form of each part of an order that can be corrected. */
export const CORRECTION_FORM = "correction";

/** The parts of an order that are corrected in one form each, by their name in the address of the page. */
export const CORRECTION_PARTS = ["order", "technical", "contact"] as const;
export type CorrectionPart = (typeof CORRECTION_PARTS)[number];

export const isCorrectionPart = (name: string | null): name is CorrectionPart =>
  CORRECTION_PARTS.some((part) => part === name);

/** What corrections call the contacts of a certificate, by the name of the contact. */
export const CONTACT_TITLES = {
  technical: "Technical contact",
  authentication: "Authentication contact",
} as const;

export type CorrectedContact = keyof typeof CONTACT_TITLES;

export const PART_TITLES: Readonly<Record<CorrectionPart, string>> = {
  order: "Purchase order number and invoice address",
  technical: CONTACT_TITLES.technical,
  contact: CONTACT_TITLES.authentication,
};

/** The fields of each part, in the order of its form. */
export const PART_FIELDS: Readonly<Record<CorrectionPart, readonly string[]>> = {
  order: ["purchaseOrderNumber", ...INVOICE_FIELDS],
  technical: CONTACT_FIELDS,
  contact: CONTACT_FIELDS.filter((name) => name !== "email"),
};

export const CORRECTION_LABELS = { ...ADDRESS_LABELS, purchaseOrderNumber: "Purchase order number" } as const;
