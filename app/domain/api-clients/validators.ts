import { lazyValidator } from "~/lib/lazy-validator";

export const apiClientValidator = lazyValidator(() =>
  import("./api-clients.schema").then(({ apiClientSchema }) => apiClientSchema),
);
export const newSecretValidator = lazyValidator(() =>
  import("./api-clients.schema").then(({ newSecretSchema }) => newSecretSchema),
);
