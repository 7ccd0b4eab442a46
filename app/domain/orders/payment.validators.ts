import { withZod } from "@remix-validated-form/with-zod";
import { paymentSchema } from "./payment.schema";

export const payment = withZod(paymentSchema);
