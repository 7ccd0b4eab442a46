import { formValidator } from "~/lib/validation";
import { homepageSchema } from "./homepage.schema";

export const homepage = formValidator(homepageSchema);
