import { formValidator } from "~/lib/validation";
import { codeChoiceSchema } from "./row-choice.schema";

export const codeChoice = formValidator(codeChoiceSchema);
