import { withZod } from "@remix-validated-form/with-zod";
import { detailsSchema, loginSchema, registrationSchema } from "./accounts.schema";

export const login = withZod(loginSchema);
export const registration = (passwordMinLength: number) => withZod(registrationSchema(passwordMinLength));
export const details = withZod(detailsSchema);
