import { formValidator } from "~/lib/validation";
import { creditSchema } from "./credit.schema";

export const credit = formValidator(creditSchema);
