import { formValidator } from "~/lib/validation";
import { changePasswordSchema, forgotPasswordSchema, resetCodeSchema } from "./recovery.schema";

export const forgotPassword = formValidator(forgotPasswordSchema);
export const resetCode = (asksAnswer: boolean) => formValidator(resetCodeSchema(asksAnswer));
export const changePassword = (minLength: number, asksQuestion: boolean) =>
  formValidator(changePasswordSchema(minLength, asksQuestion));
