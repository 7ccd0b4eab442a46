import { formValidator } from "~/lib/validation";
import { codeContactSchema } from "./code-contact.schema";
import { type CodeRules } from "./code-details.fields";
import { codeDetailsSchema } from "./code-details.schema";

export const codeContact = formValidator(codeContactSchema);
export const codeDetails = (rules: CodeRules) => formValidator(codeDetailsSchema(rules));
