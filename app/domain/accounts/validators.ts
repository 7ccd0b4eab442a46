import { lazyValidator } from "~/lib/lazy-validator";
import { type KeptPerson } from "./administration/user-administration.schema";
import { type CompletionRules } from "./details.schema";
import { type UserDetailsRules } from "./user-details.schema";

export const loginValidator = lazyValidator(() => import("./accounts.schema").then(({ loginSchema }) => loginSchema));
export const registrationValidator = (passwordMinLength: number) =>
  lazyValidator(() =>
    import("./accounts.schema").then(({ registrationSchema }) => registrationSchema(passwordMinLength)),
  );
export const detailsValidator = (rules: CompletionRules) =>
  lazyValidator(() => import("./details.schema").then(({ detailsSchema }) => detailsSchema(rules)));
export const userDetailsValidator = (rules: UserDetailsRules) =>
  lazyValidator(() => import("./user-details.schema").then(({ userDetailsSchema }) => userDetailsSchema(rules)));
export const userActionValidator = lazyValidator(() =>
  import("./administration/user-administration.schema").then(({ userActionSchema }) => userActionSchema),
);
export const newUserValidator = lazyValidator(() =>
  import("./administration/user-administration.schema").then(({ newUserSchema }) => newUserSchema),
);
export const personValidator = (kept: KeptPerson) =>
  lazyValidator(() =>
    import("./administration/user-administration.schema").then(({ personSchema }) => personSchema(kept)),
  );
