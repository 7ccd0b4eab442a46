import { withZod } from "@remix-validated-form/with-zod";
import { homepageSchema } from "./homepage.schema";

export const homepage = withZod(homepageSchema);
