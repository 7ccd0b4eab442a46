import { lazyValidator } from "~/lib/lazy-validator";
import { type CodeRules } from "./code-details-fields";

export const codeContactValidator = lazyValidator(() =>
  import("./code-contact.schema").then(({ codeContactSchema }) => codeContactSchema),
);
export const codeDetailsValidator = (rules: CodeRules) =>
  lazyValidator(() => import("./code-details.schema").then(({ codeDetailsSchema }) => codeDetailsSchema(rules)));
/** The choice of a code in the list of codes. */
export const codeChoiceValidator = lazyValidator(() =>
  import("./list/row-choice.schema").then(({ codeChoiceSchema }) => codeChoiceSchema),
);
/** The choice of a code that the search found. */
export const foundCodeValidator = lazyValidator(() =>
  import("./search.schema").then(({ foundCodeSchema }) => foundCodeSchema),
);
/** The certificates to publish at an entity. */
export const publishAtEntityValidator = lazyValidator(() =>
  import("./certificates/publishing.schema").then(({ publishAtEntitySchema }) => publishAtEntitySchema),
);
