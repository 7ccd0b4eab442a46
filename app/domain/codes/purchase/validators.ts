import { lazyValidator } from "~/lib/lazy-validator";

export const codeOrderValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ codeOrderSchema }) => codeOrderSchema),
);
