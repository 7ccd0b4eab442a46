import { withZod } from "@remix-validated-form/with-zod";
import { salesOrderSchema } from "./sales-order.schema";

export const salesOrder = withZod(salesOrderSchema);
