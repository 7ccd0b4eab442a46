import { formValidator } from "~/lib/validation";
import { z } from "zod";
import { codeOrderSchema } from "./order-form.schema";

/** The steps' forms as browser and server check them. */
export const order = formValidator(codeOrderSchema);
/** Nothing is typed: the button says it all. */
export const confirmation = formValidator(z.object({}));
