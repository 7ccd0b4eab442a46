import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./validators");

export const codeOrderValidator = lazyValidator(() => load().then((all) => all.order));
export const confirmationValidator = lazyValidator(() => load().then((all) => all.confirmation));
