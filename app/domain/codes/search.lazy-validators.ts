import { lazyValidator } from "~/lib/lazy-validator";

// Pages import this only: a second, static way to the schema would bring it into the page's own script.
export const foundCodeValidator = lazyValidator(() => import("./search.validators").then((all) => all.foundCode));
