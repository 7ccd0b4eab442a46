import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./recovery.validators");

export const forgotPasswordValidator = lazyValidator(() => load().then((all) => all.forgotPassword));
export const resetCodeValidator = (asksAnswer: boolean) =>
  lazyValidator(() => load().then((all) => all.resetCode(asksAnswer)));
export const changePasswordValidator = (minLength: number, asksQuestion: boolean) =>
  lazyValidator(() => load().then((all) => all.changePassword(minLength, asksQuestion)));
