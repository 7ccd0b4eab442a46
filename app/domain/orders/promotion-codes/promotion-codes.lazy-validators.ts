import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./promotion-codes.validators");

export const promotionCodeValidator = lazyValidator(() => load().then((all) => all.promotionCode));
export const promotionCodesValidator = lazyValidator(() => load().then((all) => all.promotionCodes));
export const codeChoiceValidator = lazyValidator(() => load().then((all) => all.codeChoice));
