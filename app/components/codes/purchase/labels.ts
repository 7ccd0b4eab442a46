/** The labels of the order step's fields. */
export const CODE_ORDER_LABELS = {
  purchaseOrderNumber: "Purchase order number",
  productType: "Product type",
  quantity: "Quantity",
  termsAndConditionsAccepted: "Terms and conditions",
} as const;
