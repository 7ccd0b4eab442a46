import { withZod } from "@remix-validated-form/with-zod";
import { codeContactSchema } from "./code-contact.schema";
import { type CodeRules } from "./code-details.fields";
import { codeDetailsSchema } from "./code-details.schema";

export const codeContact = withZod(codeContactSchema);
export const codeDetails = (rules: CodeRules) => withZod(codeDetailsSchema(rules));
