import { type Validator } from "remix-validated-form";
import { type ZodType, type ZodTypeDef } from "zod";

/** A validator whose code the browser loads after the page. zod is not needed before the first submit. */
export interface LazyValidator<Data> extends Validator<Data> {
  /** Starts loading. PortalForm calls it once the page is idle. */
  preload: () => void;
}

/**
 * Returns a validator that loads its schema on first use. `load` imports the module of the schema dynamically. A page must not import that
 * module in any other way, because it would become part of the page's own script.
 */
export function lazyValidator<Data>(load: () => Promise<ZodType<Data, ZodTypeDef, unknown>>): LazyValidator<Data> {
  let loading: Promise<Validator<Data>> | undefined;
  const get = () => {
    loading ??= Promise.all([import("./validation"), load()]).then(
      ([{ formValidator }, schema]) => formValidator(schema),
      (error: unknown) => {
        loading = undefined; // The connection failed. The next call loads again.
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
