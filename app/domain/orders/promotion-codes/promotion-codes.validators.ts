import { withZod } from "@remix-validated-form/with-zod";
import { codeChoiceSchema, promotionCodeSchema, promotionCodesSchema } from "./promotion-code.schema";

export const promotionCode = withZod(promotionCodeSchema);
export const promotionCodes = withZod(promotionCodesSchema);
export const codeChoice = withZod(codeChoiceSchema);
