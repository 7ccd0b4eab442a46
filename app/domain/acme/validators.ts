import { lazyValidator } from "~/lib/lazy-validator";

export const acmeKeyValidator = lazyValidator(() => import("./keys.schema").then(({ acmeKeySchema }) => acmeKeySchema));
