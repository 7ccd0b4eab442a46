import { formValidator } from "~/lib/validation";
import { foundCodeSchema } from "./search.schema";

export const foundCode = formValidator(foundCodeSchema);
