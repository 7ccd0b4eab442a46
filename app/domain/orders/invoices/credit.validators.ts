import { withZod } from "@remix-validated-form/with-zod";
import { creditSchema } from "./credit.schema";

export const credit = withZod(creditSchema);
