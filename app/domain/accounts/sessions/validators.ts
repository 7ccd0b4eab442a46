import { lazyValidator } from "~/lib/lazy-validator";

export const endSessionValidator = lazyValidator(() =>
  import("./sessions.schema").then(({ endSessionSchema }) => endSessionSchema),
);
