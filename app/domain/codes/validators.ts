import { lazyValidator } from "~/lib/lazy-validator";
import { type CodeRules } from "./code-details-fields";

export const codeContactValidator = lazyValidator(() =>
  import("./code-contact.schema").then(({ codeContactSchema }) => codeContactSchema),
);
export const codeDetailsValidator = (rules: CodeRules) =>
  lazyValidator(() => import("./code-details.schema").then(({ codeDetailsSchema }) => codeDetailsSchema(rules)));
