import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./accounts.validators");

export const loginValidator = lazyValidator(() => load().then((all) => all.login));
export const registrationValidator = (passwordMinLength: number) =>
  lazyValidator(() => load().then((all) => all.registration(passwordMinLength)));
export const detailsValidator = lazyValidator(() => load().then((all) => all.details));
