import { z } from "zod";

/** What the description says about a text that a rule of the forms checks. */
interface TextRule {
  /** The rule refuses an empty text. */
  isRequired: boolean;
  maxLength: number | undefined;
}

/** Returns the schema inside a wrapping schema, or null. */
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

/** Reads a rule of the forms, so that a call's description takes the maximum length and whether the text is required from the rule. */
export const textRule = (rule: z.ZodTypeAny): TextRule => ({
  isRequired: !rule.safeParse("").success,
  maxLength: longest(rule),
});
