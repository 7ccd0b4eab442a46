import { lazyValidator } from "~/lib/lazy-validator";

// Pages import this only: a second, static way to the schema would bring it into the page's own script.
export const creditValidator = lazyValidator(() => import("./credit.validators").then((all) => all.credit));

export const CREDIT_FORM = "credit-note";
export const CREDIT_LABELS = { reason: "Reason" } as const;
