import { lazyValidator } from "~/lib/lazy-validator";

export const standingValidator = lazyValidator(() =>
  import("./standing.schema").then(({ standingSchema }) => standingSchema),
);
export const orderUnderValidator = lazyValidator(() =>
  import("./standing.schema").then(({ orderUnderSchema }) => orderUnderSchema),
);
export const renewalUnderValidator = (refusals: Readonly<Record<string, string>>) =>
  lazyValidator(() => import("./standing.schema").then(({ renewalUnderSchema }) => renewalUnderSchema(refusals)));
export const endStandingValidator = lazyValidator(() =>
  import("./standing.schema").then(({ endStandingSchema }) => endStandingSchema),
);
export const checkStandingValidator = lazyValidator(() =>
  import("./standing.schema").then(({ checkStandingSchema }) => checkStandingSchema),
);
