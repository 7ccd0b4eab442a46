import { z } from "zod";
import { email, requiredText } from "~/lib/fields";
import { newPassword, password, sameAs } from "../accounts.schema";

/** A field that the page does not show. Its value is ignored. */
const notAsked = z.unknown().transform(() => "");

export const forgotPasswordSchema = z.object({ email: email() });

/**
 * Returns the schema of the reset page.
 *
 * @param asksAnswer Whether the page asks for the security answer. Without a question the answer is not validated (REC-03).
 */
export const resetCodeSchema = (asksAnswer: boolean) =>
  z.object({
    resetCode: requiredText(200),
    securityAnswer: asksAnswer ? requiredText(200) : notAsked,
  });

/**
 * Returns the schema of the page for the new password.
 *
 * @param minLength The configured minimum length of a password.
 * @param asksQuestion Whether the user must choose a security question.
 */
export const changePasswordSchema = (minLength: number, asksQuestion: boolean) =>
  z
    .object({
      password: newPassword(minLength),
      confirmPassword: password,
      securityQuestion: asksQuestion ? requiredText(200) : notAsked,
      securityAnswer: asksQuestion ? requiredText(120) : notAsked,
    })
    .superRefine(sameAs("password", "confirmPassword"));

export type PasswordChange = z.infer<ReturnType<typeof changePasswordSchema>>;
