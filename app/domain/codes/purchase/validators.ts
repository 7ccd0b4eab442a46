import { withZod } from "@remix-validated-form/with-zod";
import { z } from "zod";
import { codeOrderSchema } from "./order-form.schema";

/** The steps' forms as browser and server check them. */
export const order = withZod(codeOrderSchema);
/** Nothing is typed: the button says it all. */
export const confirmation = withZod(z.object({}));
