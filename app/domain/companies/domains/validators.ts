import { lazyValidator } from "~/lib/lazy-validator";

export const addDomainValidator = lazyValidator(() =>
  import("./domains.schema").then(({ addDomainSchema }) => addDomainSchema),
);
export const domainMailValidator = lazyValidator(() =>
  import("./domains.schema").then(({ domainMailSchema }) => domainMailSchema),
);
export const endDomainValidator = lazyValidator(() =>
  import("./domains.schema").then(({ endDomainSchema }) => endDomainSchema),
);
