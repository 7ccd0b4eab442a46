import { formValidator } from "~/lib/validation";
import { codeChoiceSchema, promotionCodeSchema, promotionCodesSchema } from "./promotion-code.schema";

export const promotionCode = formValidator(promotionCodeSchema);
export const promotionCodes = formValidator(promotionCodesSchema);
export const codeChoice = formValidator(codeChoiceSchema);
