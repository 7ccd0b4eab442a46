import { formValidator } from "~/lib/validation";
import { consolidationSchema, type ConsolidationRules } from "./consolidation.schema";

export const consolidation = (rules: ConsolidationRules) => formValidator(consolidationSchema(rules));
