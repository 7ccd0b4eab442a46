import { lazyValidator } from "~/lib/lazy-validator";

export const codeChoiceValidator = lazyValidator(() =>
  import("./row-choice.schema").then(({ codeChoiceSchema }) => codeChoiceSchema),
);
