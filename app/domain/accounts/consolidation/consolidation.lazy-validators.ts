import { lazyValidator } from "~/lib/lazy-validator";
import { type ConsolidationRules } from "./consolidation.schema";

// Pages import this only: a second, static way to the schema would bring it into the page's own script.
export const consolidationValidator = (rules: ConsolidationRules) =>
  lazyValidator(() => import("./consolidation.validators").then((all) => all.consolidation(rules)));
