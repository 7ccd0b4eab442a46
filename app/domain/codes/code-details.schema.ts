import { z } from "zod";
import { addressSchema } from "~/domain/accounts/accounts.schema";
import { checkbox, isBlank, optionalText, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { type CodeStatus } from "~db/tables";
import { type CodeRules } from "./code-details-fields";
import { type EntityType } from "./entity-types";

/** The message of COD-07, word for word. */
export const DIRECT_PARENT_MESSAGE = "Please specify an OSCAR code if you wish to use a direct parent.";
export const OWN_PARENT_MESSAGE = "A code cannot be its own direct parent.";
export const PARENT_CIRCLE_MESSAGE = "The specified code already has this code among its parents.";
export const SUBCODE_LENGTH_MESSAGE = "Subcode must be exactly 2 characters long.";
export const SUBCODE_ZEROS_MESSAGE = "00 may not be used as a subcode.";

const text = () => z.string({ required_error: messages.required, invalid_type_error: messages.invalid });

/** Two characters of 0-9 and A-Z, but not 00 (COD-05). Lower-case letters become capitals. */
export const subcode = () =>
  text().transform((typed, context) => {
    const value = isBlank(typed) ? "" : typed.trim();
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (value === "") refuse(messages.required);
    else if (value.length !== 2) refuse(SUBCODE_LENGTH_MESSAGE);
    else if (!/^[0-9A-Za-z]{2}$/.test(value)) refuse(messages.outOfRange);
    else if (value === "00") refuse(SUBCODE_ZEROS_MESSAGE);
    return value.toUpperCase();
  });

const oneOf = <T extends string>(choices: readonly T[]) =>
  text().transform((value, context) => {
    const chosen = choices.find((choice) => choice === value);
    if (chosen) return chosen;
    context.addIssue({ code: "custom", message: isBlank(value) ? messages.required : messages.collection });
    return z.NEVER;
  });

const someOf = <T extends string>(choices: readonly T[]) =>
  z
    .array(z.string())
    .refine((names) => names.every((name) => choices.some((choice) => choice === name)), messages.collection)
    .transform((names) => choices.filter((choice) => names.includes(choice)));

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** A field that the form does not have. Its value is ignored. */
const fixed = <T>(value: T): Schema<T> => z.unknown().transform(() => value);

type Fields = Record<string, unknown>;

const listOf = (value: unknown): unknown[] =>
  typeof value === "string" ? value.split(",").filter(Boolean) : Array.isArray(value) ? (value as unknown[]) : [];

/**
 * Reduces a form to the fields that the page shows: no address that is replaced by another one, and no text for 'Other' when it is not
 * ticked.
 */
const asShown =
  ({ entityTypes }: CodeRules) =>
  (form: unknown): unknown => {
    if (typeof form !== "object" || form === null) return form;
    const { physicalAddress = {}, mailingAddress = {}, otherText = "", ...rest } = form as Fields;
    const chosen = listOf(rest.entityTypes);
    return {
      ...rest,
      entityTypes: chosen,
      ...(entityTypes && chosen.includes("Other") && { otherText }),
      ...(!("useCompanyAddress" in rest) && { physicalAddress }),
      ...(!("usePhysicalAddress" in rest) && { mailingAddress }),
    };
  };

/** Returns the schema of the details of a code or sub-code (COD-07). */
export const codeDetailsSchema = (rules: CodeRules) =>
  z.preprocess(
    asShown(rules),
    z.object({
      /** The version of the code that the page showed. */
      version: z.string().default(""),
      subcode: rules.asksSubcode ? (subcode() as Schema<string>) : fixed(""),
      entityName: requiredText(70),
      shortName: optionalText(70),
      tradeName: optionalText(70),
      status: rules.statuses ? (oneOf(rules.statuses) as Schema<CodeStatus>) : fixed<CodeStatus>("Registered"),
      vatNumber: optionalText(17),
      directParentId: optionalText(4, DIRECT_PARENT_MESSAGE).transform((code) => code.toUpperCase()),
      domesticParentId: optionalText(70),
      globalParentId: optionalText(70),
      dunsNumber: optionalText(18),
      /** Null when this person may not change them. */
      entityTypes: rules.entityTypes
        ? (someOf(rules.entityTypes) as Schema<EntityType[] | null>)
        : fixed<EntityType[] | null>(null),
      otherText: requiredText(70).optional(),
      useCompanyAddress: checkbox(),
      physicalAddress: addressSchema.optional(),
      usePhysicalAddress: checkbox(),
      mailingAddress: addressSchema.optional(),
    }),
  );

export type CodeForm = z.infer<ReturnType<typeof codeDetailsSchema>>;
