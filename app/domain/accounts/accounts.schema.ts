import { z } from "zod";
import { countryId, email, isBlank, isEmail, optionalText, requiredText, telephone } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { passwordTooShort } from "./accounts.policy";

/** A password is taken as typed and never trimmed. */
export const password = z
  .string({ required_error: messages.required })
  .refine((value) => !isBlank(value), messages.required)
  .pipe(z.string().max(50, messages.outOfRange));

/** A password that is chosen now. An empty one is only reported as missing, not as too short. */
export const newPassword = (minLength: number) =>
  password.refine((value) => isBlank(value) || value.length >= minLength, passwordTooShort(minLength));

const asTyped = (value: string) => value;

export const sameAs = <K extends string>(one: K, other: K, fold: (value: string) => string = asTyped) =>
  ((value: Record<K, string>, context: z.RefinementCtx) => {
    if (value[one] && value[other] && fold(value[one]) !== fold(value[other]))
      context.addIssue({ code: "custom", path: [other], message: messages.notEqual });
  }) satisfies (value: Record<K, string>, context: z.RefinementCtx) => void;

/** A user name need not be an email address, because imported ones are not. A name with an @ must be a valid email address. */
const loginName = requiredText(200).refine(
  (value) => value.length > 200 || !value.includes("@") || isEmail(value),
  messages.email,
);

export const loginSchema = z.object({
  email: loginName,
  password,
  redirectTo: z.string().optional(),
});

/** Email addresses are case-insensitive; they are stored in lower case. */
const foldCase = (value: string) => value.toLowerCase();

/** The fields that describe a person: of the registration (`/register`, RegisterUser) and of the user details. */
export const personShape = {
  firstName: requiredText(59),
  lastName: requiredText(59),
  company: requiredText(120),
  position: requiredText(120),
  telephoneNumber: telephone(35),
  email: email(),
};

/**
 * Returns the fields of the registration form.
 *
 * @param passwordMinLength The configured minimum length of a password.
 */
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

/** The address fields of a form. Their names have a prefix such as `companyAddress`. */
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
