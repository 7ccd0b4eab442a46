import { lazyValidator } from "~/lib/lazy-validator";

export const webhookValidator = lazyValidator(() =>
  import("./webhooks.schema").then(({ webhookSchema }) => webhookSchema),
);
