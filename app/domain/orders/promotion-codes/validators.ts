import { lazyValidator } from "~/lib/lazy-validator";

export const promotionCodeValidator = lazyValidator(() =>
  import("./promotion-code.schema").then(({ promotionCodeSchema }) => promotionCodeSchema),
);
export const promotionCodesValidator = lazyValidator(() =>
  import("./promotion-code.schema").then(({ promotionCodesSchema }) => promotionCodesSchema),
);
export const promotionCodeChoiceValidator = lazyValidator(() =>
  import("./promotion-code.schema").then(({ promotionCodeChoiceSchema }) => promotionCodeChoiceSchema),
);
