import { withZod } from "@remix-validated-form/with-zod";
import { consolidationSchema, type ConsolidationRules } from "./consolidation.schema";

export const consolidation = (rules: ConsolidationRules) => withZod(consolidationSchema(rules));
