import { z } from "zod";
import { countryId, email, isBlank, isEmail, optionalText, requiredText, telephone } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { passwordTooShort } from "./accounts.policy";

/** Passwords are taken as they are typed: never trimmed. */
export const password = z
  .string({ required_error: messages.required })
  .refine((value) => !isBlank(value), messages.required)
  .pipe(z.string().max(50, messages.outOfRange));

/** One that is chosen now. Its length counts as the user types it; an empty one is only missing. */
export const newPassword = (minLength: number) =>
  password.refine((value) => isBlank(value) || value.length >= minLength, passwordTooShort(minLength));

const asTyped = (value: string) => value;

export const sameAs = <K extends string>(one: K, other: K, fold: (value: string) => string = asTyped) =>
  ((value: Record<K, string>, context: z.RefinementCtx) => {
    if (value[one] && value[other] && fold(value[one]) !== fold(value[other]))
      context.addIssue({ code: "custom", path: [other], message: messages.notEqual });
  }) satisfies (value: Record<K, string>, context: z.RefinementCtx) => void;

/** Imported user names need not be e-mail addresses; what looks like one is checked as one. */
const loginName = requiredText(200).refine(
  (value) => value.length > 200 || !value.includes("@") || isEmail(value),
  messages.email,
);

export const loginSchema = z.object({
  email: loginName,
  password,
  redirectTo: z.string().optional(),
});

/** Case does not tell e-mail addresses apart: accounts are kept in small letters. */
const foldCase = (value: string) => value.toLowerCase();

/** Who somebody is, at the registration and ever after. */
export const personShape = {
  firstName: requiredText(59),
  lastName: requiredText(59),
  company: requiredText(120),
  position: requiredText(120),
  telephoneNumber: telephone(35),
  email: email(),
};

/** In: the shortest password that the configuration allows. */
export const registrationShape = (passwordMinLength: number) => ({
  ...personShape,
  confirmEmail: email(),
  password: newPassword(passwordMinLength),
  confirmPassword: password,
  securityQuestion: requiredText(200),
  securityAnswer: requiredText(120),
});

export const registrationSchema = (passwordMinLength: number) =>
  z
    .object(registrationShape(passwordMinLength))
    .superRefine(sameAs("email", "confirmEmail", foldCase))
    .superRefine(sameAs("password", "confirmPassword"));

export type Registration = z.infer<ReturnType<typeof registrationSchema>>;

/** An address as the forms send it, under a prefix such as `companyAddress`. */
export const addressSchema = z.object({
  addressLine1: requiredText(120),
  addressLine2: optionalText(120),
  addressLine3: optionalText(120),
  city: requiredText(90),
  postalCode: requiredText(10),
  region: optionalText(70),
  country: countryId(),
});

export type AddressForm = z.infer<typeof addressSchema>;
