import { z } from "zod";
import { email, isBlank, isTelephone, optionalText, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { CONTACT_TYPES } from "~db/tables/codes";

const optionalTelephone = (max: number) =>
  optionalText(max).refine((value) => value === "" || value.length > max || isTelephone(value), messages.telephone);

const contactType = z
  .string({ required_error: messages.required, invalid_type_error: messages.invalid })
  .transform((value, context) => {
    const chosen = CONTACT_TYPES.find((type) => type === value);
    if (chosen) return chosen;
    context.addIssue({ code: "custom", message: isBlank(value) ? messages.required : messages.collection });
    return z.NEVER;
  });

/** A contact of a code (COD-08). */
export const codeContactSchema = z.object({
  contactType,
  firstName: requiredText(120),
  lastName: requiredText(120),
  jobTitle: optionalText(120),
  department: optionalText(70),
  phoneNumber: optionalTelephone(25),
  mobile: optionalTelephone(35),
  fax: optionalTelephone(35),
  emailAddress: email(60),
});

export type ContactForm = z.infer<typeof codeContactSchema>;

/** A contact that is held with the code's form until the code is saved. */
export const heldContactSchema = codeContactSchema.extend({ id: z.number().int() });

export type CodeContactForm = z.infer<typeof heldContactSchema>;
