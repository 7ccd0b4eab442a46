import { withZod } from "@remix-validated-form/with-zod";
import { loginSchema, registrationSchema } from "./accounts.schema";
import { detailsSchema, type DetailsRules } from "./details.schema";
import { userDetailsSchema, type UserDetailsRules } from "./user-details.schema";
import { userActionSchema } from "./administration/user-administration.schema";

export const login = withZod(loginSchema);
export const registration = (passwordMinLength: number) => withZod(registrationSchema(passwordMinLength));
export const details = (rules: DetailsRules) => withZod(detailsSchema(rules));
export const userDetails = (rules: UserDetailsRules) => withZod(userDetailsSchema(rules));
export const userAction = withZod(userActionSchema);
