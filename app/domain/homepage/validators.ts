import { lazyValidator } from "~/lib/lazy-validator";

export const homepageValidator = lazyValidator(() =>
  import("./homepage.schema").then(({ homepageSchema }) => homepageSchema),
);
