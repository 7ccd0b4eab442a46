import { z } from "zod";

/** What the API reference says about a text that a rule of the forms checks. */
interface TextRule {
  /** Whether the rule refuses an empty text. */
  isNeeded: boolean;
  maxLength: number | undefined;
}

/** Returns the schema inside an effect, a pipeline, an optional or a default, or null for other schemas. */
function innerOf(rule: z.ZodTypeAny): z.ZodTypeAny | null {
  if (rule instanceof z.ZodPipeline) return rule._def.out as z.ZodTypeAny;
  if (rule instanceof z.ZodEffects) return rule.innerType() as z.ZodTypeAny;
  if (rule instanceof z.ZodOptional) return rule.unwrap() as z.ZodTypeAny;
  return rule instanceof z.ZodDefault ? (rule.removeDefault() as z.ZodTypeAny) : null;
}

function longest(rule: z.ZodTypeAny): number | undefined {
  if (rule instanceof z.ZodString) return Number.isFinite(rule.maxLength) ? (rule.maxLength ?? undefined) : undefined;
  const inner = innerOf(rule);
  return inner ? longest(inner) : undefined;
}

/** Returns whether a rule of the forms requires a text, and the maximum length that it allows. The API reference states both. */
export const textRule = (rule: z.ZodTypeAny): TextRule => ({
  isNeeded: !rule.safeParse("").success,
  maxLength: longest(rule),
});
