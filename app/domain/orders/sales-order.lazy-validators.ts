import { lazyValidator } from "~/lib/lazy-validator";

// Pages import this only: a second, static way to the schema would bring it into the page's own script.
export const salesOrderValidator = lazyValidator(() =>
  import("./sales-order.validators").then((all) => all.salesOrder),
);
