import { lazyValidator } from "~/lib/lazy-validator";
import { type DetailsRules } from "./details.schema";
import { type UserDetailsRules } from "./user-details.schema";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./accounts.validators");

export const loginValidator = lazyValidator(() => load().then((all) => all.login));
export const registrationValidator = (passwordMinLength: number) =>
  lazyValidator(() => load().then((all) => all.registration(passwordMinLength)));
export const detailsValidator = (rules: DetailsRules) => lazyValidator(() => load().then((all) => all.details(rules)));
export const userDetailsValidator = (rules: UserDetailsRules) =>
  lazyValidator(() => load().then((all) => all.userDetails(rules)));
export const userActionValidator = lazyValidator(() => load().then((all) => all.userAction));
