import { z } from "zod";
import { email, requiredText } from "~/lib/fields";
import { newPassword, password, sameAs } from "../accounts.schema";

/** What the page does not ask is not read, whatever is sent. */
const notAsked = z.unknown().transform(() => "");

export const forgotPasswordSchema = z.object({ email: email() });

/** In: whether the page asks for the security answer. Without a question the answer is not validated (REC-03). */
export const resetCodeSchema = (asksAnswer: boolean) =>
  z.object({
    resetCode: requiredText(200),
    securityAnswer: asksAnswer ? requiredText(200) : notAsked,
  });

/** In: the shortest password that the configuration allows, and whether a security question is still to be chosen. */
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
