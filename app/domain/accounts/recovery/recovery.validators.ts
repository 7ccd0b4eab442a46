import { withZod } from "@remix-validated-form/with-zod";
import { changePasswordSchema, forgotPasswordSchema, resetCodeSchema } from "./recovery.schema";

export const forgotPassword = withZod(forgotPasswordSchema);
export const resetCode = (asksAnswer: boolean) => withZod(resetCodeSchema(asksAnswer));
export const changePassword = (minLength: number, asksQuestion: boolean) =>
  withZod(changePasswordSchema(minLength, asksQuestion));
