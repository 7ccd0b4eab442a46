import { lazyValidator } from "~/lib/lazy-validator";

/** Stands apart from the other validators, which pages load whose scripts have no room. */
export const certificateCorrectionValidator = lazyValidator(() =>
  import("./correction.schema").then(({ certificateCorrectionSchema }) => certificateCorrectionSchema),
);
