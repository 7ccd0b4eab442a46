import { withZod } from "@remix-validated-form/with-zod";
import { foundCodeSchema } from "./search.schema";

export const foundCode = withZod(foundCodeSchema);
