import { lazyValidator } from "~/lib/lazy-validator";

export const salesOrderValidator = lazyValidator(() =>
  import("./sales-order.schema").then(({ salesOrderSchema }) => salesOrderSchema),
);
export const paymentValidator = lazyValidator(() =>
  import("./invoices/invoice-forms.schema").then(({ paymentFormSchema }) => paymentFormSchema),
);
export const togetherValidator = lazyValidator(() =>
  import("./invoices/invoice-forms.schema").then(({ togetherSchema }) => togetherSchema),
);
export const creditValidator = lazyValidator(() =>
  import("./invoices/invoice-forms.schema").then(({ creditSchema }) => creditSchema),
);
