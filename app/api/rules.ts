import { z } from "zod";

/** What the description can say of a text that a rule of the forms takes. */
interface TextRule {
  /** The rule refuses an empty text. */
  isNeeded: boolean;
  maxLength: number | undefined;
}

/** What a schema is made around. */
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

/** Reads a rule of the forms, so that the description of a call has no length and no demand of its own. */
export const textRule = (rule: z.ZodTypeAny): TextRule => ({
  isNeeded: !rule.safeParse("").success,
  maxLength: longest(rule),
});
