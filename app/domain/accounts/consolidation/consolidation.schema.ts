import { z } from "zod";
import { messages } from "~/lib/messages";
import { newPassword, sameAs } from "../accounts.schema";
import { type DetailName } from "./consolidation.policy";

/** The rules of the form that depend on the accounts. */
export interface ConsolidationRules {
  /** The details that differ, each with the account ids that can be chosen. */
  choices: Partial<Record<DetailName, string[]>>;
  /** The minimum length of the new password; null when the form does not ask for one. */
  passwordMinLength: number | null;
}

export type ConsolidationForm = Partial<Record<DetailName, string>> & {
  /** The version of the details that the page showed. */
  version: string;
  /** The id of the draft in which the new password waits for the confirmation; "" when there is none. */
  held: string;
  password?: string;
  confirmPassword?: string;
};

const choice = (ids: readonly string[]) =>
  z
    .string({ required_error: messages.required, invalid_type_error: messages.collection })
    .refine((value) => ids.includes(value), messages.collection);

const isSame = sameAs("password", "confirmPassword");

/**
 * Returns the schema of the form: which account's details are kept where they differ, and a new password where one is required (CON-01,
 * CON-02).
 */
export function consolidationSchema({
  choices,
  passwordMinLength,
}: ConsolidationRules): z.ZodType<ConsolidationForm, z.ZodTypeDef, unknown> {
  const chosen = Object.entries(choices).map(([name, ids]) => [name, choice(ids)]);
  const details = z.object({
    version: z.string().default(""),
    held: z.string().max(64).default(""),
    ...(Object.fromEntries(chosen) as Record<DetailName, ReturnType<typeof choice>>),
  });
  if (passwordMinLength === null) return details;
  return details
    .extend({ password: newPassword(passwordMinLength), confirmPassword: newPassword(0) })
    .superRefine(isSame);
}
