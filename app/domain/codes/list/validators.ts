import { withZod } from "@remix-validated-form/with-zod";
import { codeChoiceSchema } from "./row-choice.schema";

export const codeChoice = withZod(codeChoiceSchema);
