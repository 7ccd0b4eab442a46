import { lazyValidator } from "~/lib/lazy-validator";

export const codeOrderValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ codeOrderSchema }) => codeOrderSchema),
);
/** Validates a form without fields, only with a button. */
export const confirmationValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ confirmationSchema }) => confirmationSchema),
);
