import { lazyValidator } from "~/lib/lazy-validator";

export const factorCodeValidator = lazyValidator(() =>
  import("./factors.schema").then(({ factorCodeSchema }) => factorCodeSchema),
);
export const currentPasswordValidator = lazyValidator(() =>
  import("./factors.schema").then(({ currentPasswordSchema }) => currentPasswordSchema),
);
export const newAppValidator = lazyValidator(() => import("./factors.schema").then(({ newAppSchema }) => newAppSchema));
export const newPasskeyValidator = lazyValidator(() =>
  import("./factors.schema").then(({ newPasskeySchema }) => newPasskeySchema),
);
export const factorNameValidator = lazyValidator(() =>
  import("./factors.schema").then(({ factorNameSchema }) => factorNameSchema),
);
