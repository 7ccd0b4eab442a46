import { formValidator } from "~/lib/validation";
import { salesOrderSchema } from "./sales-order.schema";

export const salesOrder = formValidator(salesOrderSchema);
