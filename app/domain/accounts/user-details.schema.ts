import { z } from "zod";
import { isBlank, isOnlyMarkup } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { newPassword, personShape } from "./accounts.schema";
import { asShown, detailsShape, type DetailsRules } from "./details.schema";

export interface UserDetailsRules extends DetailsRules {
  /** Stored texts that stay valid as long as they are not changed: imported names can be longer than is typed today. */
  kept: { firstName: string; lastName: string; email: string };
  /** The stored security question, "" where there is none. */
  securityQuestion: string;
  passwordMinLength: number;
  /** An administrator acts as the user: there is no password to ask for, and what needs one is refused. */
  isActing: boolean;
}

type TextSchema = z.ZodType<string, z.ZodTypeDef, unknown>;

/** The stored text as it is, or what the schema allows. */
const keptOr = (stored: string, schema: TextSchema): TextSchema =>
  z.unknown().transform((value, context) => {
    if (stored !== "" && value === stored) return stored;
    const { data, error } = schema.safeParse(value);
    for (const issue of error?.issues ?? []) context.addIssue(issue);
    return data ?? z.NEVER;
  });

/** A text that may be empty and is taken as it was typed, at most `max` characters. */
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
  /** No text when what was typed is no address. */
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

/** Case does not tell addresses apart. */
const wantsEmail = ({ email }: SecurityForm, { kept, isActing }: UserDetailsRules) =>
  !isActing && typeof email === "string" && ![email, email.toLowerCase()].includes(kept.email);

/** Whoever changes the e-mail address, the password or the question proves to be the one who knows the current password. */
const securityRules =
  (rules: UserDetailsRules) =>
  (form: SecurityForm, context: z.RefinementCtx): void => {
    const { passwordMinLength, securityQuestion: stored } = rules;
    const demand = (name: Exclude<keyof SecurityForm, "email">) => {
      if (isBlank(form[name])) context.addIssue({ code: "custom", path: [name], message: messages.required });
    };
    if (wantsPassword(form)) {
      const { error } = newPassword(passwordMinLength).safeParse(form.password);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", path: ["password"], message });
      demand("confirmPassword");
      if (!isBlank(form.confirmPassword) && !isBlank(form.password) && form.password !== form.confirmPassword)
        context.addIssue({ code: "custom", path: ["confirmPassword"], message: messages.notEqual });
    }
    if (wantsQuestion(form, stored)) {
      demand("securityQuestion");
      demand("securityAnswer");
    }
    if (wantsEmail(form, rules) || wantsPassword(form) || wantsQuestion(form, stored)) demand("currentPassword");
  };

/** What changes about signing in besides the e-mail address, and the current password, which allows both. */
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

/** User details with the company's details and the security panel (USR-01, USR-05). Out: the details, and `security` when any of it or the e-mail changes. */
export const userDetailsSchema = (rules: UserDetailsRules) =>
  z.preprocess(
    asShown(rules),
    z
      .object({
        /** Of the details that the page showed. */
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
