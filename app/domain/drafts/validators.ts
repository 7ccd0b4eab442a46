import { lazyValidator } from "~/lib/lazy-validator";

/** Validates a step without fields, only with buttons. */
export const confirmationValidator = lazyValidator(() => import("zod").then(({ z }) => z.object({})));
