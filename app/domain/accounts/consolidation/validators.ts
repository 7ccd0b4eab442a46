import { lazyValidator } from "~/lib/lazy-validator";
import { type ConsolidationRules } from "./consolidation.schema";

export const consolidationValidator = (rules: ConsolidationRules) =>
  lazyValidator(() => import("./consolidation.schema").then(({ consolidationSchema }) => consolidationSchema(rules)));
