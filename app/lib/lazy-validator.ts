import { type Validator } from "remix-validated-form";
import { type ZodType, type ZodTypeDef } from "zod";

/** A validator whose code the browser fetches after the page: zod is not needed before the first submit. */
export interface LazyValidator<Data> extends Validator<Data> {
  /** Starts fetching. PortalForm calls it once the page is idle. */
  preload: () => void;
}

/**
 * Returns a validator that loads its schema when it is first needed. `load` imports the schema's module dynamically; a page must not import
 * that module in any other way, because it would then be part of the page's own script.
 */
export function lazyValidator<Data>(load: () => Promise<ZodType<Data, ZodTypeDef, unknown>>): LazyValidator<Data> {
  let loading: Promise<Validator<Data>> | undefined;
  const get = () => {
    loading ??= Promise.all([import("./validation"), load()]).then(
      ([{ formValidator }, schema]) => formValidator(schema),
      (error: unknown) => {
        loading = undefined; // The connection broke: the next try loads again.
        throw error;
      },
    );
    return loading;
  };
  return {
    preload: () => void get().catch(() => undefined),
    validate: async (values) => (await get()).validate(values),
  };
}
