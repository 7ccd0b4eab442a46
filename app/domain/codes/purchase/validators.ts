import { lazyValidator } from "~/lib/lazy-validator";

export const codeOrderValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ codeOrderSchema }) => codeOrderSchema),
);
/** Checks a form without fields, whose button says it all. */
export const confirmationValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ confirmationSchema }) => confirmationSchema),
);
