import { lazyValidator } from "~/lib/lazy-validator";

export const foundCodeValidator = lazyValidator(() =>
  import("./search.schema").then(({ foundCodeSchema }) => foundCodeSchema),
);
