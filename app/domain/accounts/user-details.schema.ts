import { z } from "zod";
import { isBlank, isOnlyMarkup } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { newPassword, personShape } from "./accounts.schema";
import { asShown, detailsShape, type DetailsRules, withoutCompany } from "./details.schema";

export interface UserDetailsRules extends DetailsRules {
  /** Stored texts that stay valid while they are not changed. Imported names can be longer than the form allows. */
  kept: { firstName: string; lastName: string; email: string };
  /** The stored security question; "" when there is none. */
  securityQuestion: string;
  passwordMinLength: number;
  /** Whether the user changes the details of the company, too. Other members than owners only see them. */
  ownsCompany: boolean;
  /** Whether an administrator acts as the user. The form then asks for no password and refuses changes that need one. */
  isActing: boolean;
}

type TextSchema = z.ZodType<string, z.ZodTypeDef, unknown>;

/** Accepts the stored text unchanged, or any text that the schema allows. */
export const keptOr = (stored: string, schema: TextSchema): TextSchema =>
  z.unknown().transform((value, context) => {
    if (stored !== "" && value === stored) return stored;
    const { data, error } = schema.safeParse(value);
    for (const issue of error?.issues ?? []) context.addIssue(issue);
    return data ?? z.NEVER;
  });

/** A text of at most `max` characters that may be empty and is taken as typed. */
const verbatim = (max: number) =>
  z.string({ invalid_type_error: messages.invalid }).max(max, messages.outOfRange).default("");

export const securityShape = (stored: string) => ({
  currentPassword: verbatim(50),
  password: verbatim(50),
  confirmPassword: verbatim(50),
  securityQuestion: verbatim(200)
    .refine((value) => !isOnlyMarkup(value), messages.markup)
    .transform((value) => value || stored),
  securityAnswer: verbatim(120).refine((value) => !isOnlyMarkup(value), messages.markup),
});

interface SecurityForm {
  /** Not a text when the typed address is not valid. */
  email: unknown;
  currentPassword: string;
  password: string;
  confirmPassword: string;
  securityQuestion: string;
  securityAnswer: string;
}

const wantsPassword = ({ password, confirmPassword }: SecurityForm) => password !== "" || confirmPassword !== "";

const wantsQuestion = ({ securityQuestion, securityAnswer }: SecurityForm, stored: string) =>
  securityAnswer !== "" || securityQuestion !== stored;

/** Email addresses are case-insensitive. */
const wantsEmail = ({ email }: SecurityForm, { kept, isActing }: UserDetailsRules) =>
  !isActing && typeof email === "string" && ![email, email.toLowerCase()].includes(kept.email);

/** A change of the email address, the password or the security question requires the current password. */
const securityRules =
  (rules: UserDetailsRules) =>
  (form: SecurityForm, context: z.RefinementCtx): void => {
    const { passwordMinLength, securityQuestion: stored } = rules;
    const requireField = (name: Exclude<keyof SecurityForm, "email">) => {
      if (isBlank(form[name])) context.addIssue({ code: "custom", path: [name], message: messages.required });
    };
    if (wantsPassword(form)) {
      const { error } = newPassword(passwordMinLength).safeParse(form.password);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", path: ["password"], message });
      requireField("confirmPassword");
      if (!isBlank(form.confirmPassword) && !isBlank(form.password) && form.password !== form.confirmPassword)
        context.addIssue({ code: "custom", path: ["confirmPassword"], message: messages.notEqual });
    }
    if (wantsQuestion(form, stored)) {
      requireField("securityQuestion");
      requireField("securityAnswer");
    }
    if (wantsEmail(form, rules) || wantsPassword(form) || wantsQuestion(form, stored)) requireField("currentPassword");
  };

/**
 * A change of the password or the security question, and the current password, which these changes and a change of the email address
 * require.
 */
export interface SecurityChange {
  currentPassword: string;
  password: string | null;
  question: { securityQuestion: string; securityAnswer: string } | null;
}

function securityChange(form: SecurityForm, rules: UserDetailsRules): SecurityChange | null {
  const { currentPassword, securityQuestion, securityAnswer } = form;
  const password = wantsPassword(form) ? form.password : null;
  const question = wantsQuestion(form, rules.securityQuestion) ? { securityQuestion, securityAnswer } : null;
  return password || question || wantsEmail(form, rules) ? { currentPassword, password, question } : null;
}

/**
 * Returns the schema of user details: the person, the company and the security panel (USR-01, USR-05). `security` in the result is null
 * when neither the email nor anything in the security panel changes.
 */
export const userDetailsSchema = (rules: UserDetailsRules) =>
  z.preprocess(
    (form) => asShown(rules)(rules.ownsCompany ? form : withoutCompany(form)),
    z
      .object({
        /** The version of the details that the page showed. */
        version: z.string().default(""),
        ...personShape,
        firstName: keptOr(rules.kept.firstName, personShape.firstName),
        lastName: keptOr(rules.kept.lastName, personShape.lastName),
        email: keptOr(rules.kept.email, personShape.email),
        ...detailsShape(rules),
        ...securityShape(rules.securityQuestion),
      })
      .superRefine(securityRules(rules))
      .transform(({ currentPassword, password, confirmPassword, securityQuestion, securityAnswer, ...details }) => ({
        ...details,
        security: securityChange(
          { email: details.email, currentPassword, password, confirmPassword, securityQuestion, securityAnswer },
          rules,
        ),
      })),
  );

export type UserDetails = z.infer<ReturnType<typeof userDetailsSchema>>;
