import { formValidator } from "~/lib/validation";
import { loginSchema, registrationSchema } from "./accounts.schema";
import { detailsSchema, type DetailsRules } from "./details.schema";
import { userDetailsSchema, type UserDetailsRules } from "./user-details.schema";
import { userActionSchema } from "./administration/user-administration.schema";

export const login = formValidator(loginSchema);
export const registration = (passwordMinLength: number) => formValidator(registrationSchema(passwordMinLength));
export const details = (rules: DetailsRules) => formValidator(detailsSchema(rules));
export const userDetails = (rules: UserDetailsRules) => formValidator(userDetailsSchema(rules));
export const userAction = formValidator(userActionSchema);
