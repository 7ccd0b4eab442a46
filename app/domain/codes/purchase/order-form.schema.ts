import { z } from "zod";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { checkbox, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { isCodeType } from "../code-types";
import { PURCHASE_ORDER_NUMBER_LIMIT, QUANTITY_RESET, readQuantity } from "./fields";

const productType = z
  .string({ required_error: messages.required, invalid_type_error: messages.invalid })
  .transform((value, context) => {
    if (isCodeType(value)) return value;
    context.addIssue({ code: "custom", message: value.trim() === "" ? messages.required : messages.collection });
    return z.NEVER;
  });

const quantity = z
  .string({ required_error: QUANTITY_RESET, invalid_type_error: QUANTITY_RESET })
  .transform((value, context) => {
    const read = readQuantity(value);
    if (read !== null) return read;
    context.addIssue({ code: "custom", message: QUANTITY_RESET });
    return z.NEVER;
  });

/** The order step of a purchase of codes (CPO-01). */
export const codeOrderSchema = z.object({
  purchaseOrderNumber: requiredText(PURCHASE_ORDER_NUMBER_LIMIT),
  productType,
  quantity,
  termsAndConditionsAccepted: checkbox().refine(Boolean, TERMS_NOT_ACCEPTED),
});

export type CodeOrderForm = z.output<typeof codeOrderSchema>;
