import { lazyValidator } from "~/lib/lazy-validator";
import { type CodeRules } from "./code-details.fields";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./code-details.validators");

export const codeContactValidator = lazyValidator(() => load().then((all) => all.codeContact));
export const codeDetailsValidator = (rules: CodeRules) =>
  lazyValidator(() => load().then((all) => all.codeDetails(rules)));
