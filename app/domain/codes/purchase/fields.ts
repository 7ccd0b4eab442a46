/** The ids of the steps' forms, which the page and the answer use. The invoice step has the same id in every wizard. */
export const CODE_STEP_FORMS = { contact: "code-contact", order: "code-order" } as const;

/** The fields of the order step, in the order of its page. */
export const CODE_ORDER_FIELDS = [
  "purchaseOrderNumber",
  "productType",
  "quantity",
  "termsAndConditionsAccepted",
] as const;

export const PURCHASE_ORDER_NUMBER_LIMIT = 35;
export const MAX_QUANTITY = 999;
export const DEFAULT_QUANTITY = 1;
export const QUANTITY_RESET = `The quantity must be a whole number from 1 to ${MAX_QUANTITY}. It has been set to ${DEFAULT_QUANTITY}.`;

/** Reads a typed quantity. Returns null for anything but digits from 1 to 999 (CPO-01). */
export function readQuantity(text: string): number | null {
  const quantity = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : null;
}
