import { type Validator } from "remix-validated-form";

/** A validator whose code the browser fetches after the page: zod is not needed before the first submit. */
export interface LazyValidator<Data> extends Validator<Data> {
  /** Starts fetching; PortalForm calls it once the page is idle. */
  preload: () => void;
}

/** In: how to load the real validator (a dynamic import). Out: one that loads it when it is first needed. */
export function lazyValidator<Data>(load: () => Promise<Validator<Data>>): LazyValidator<Data> {
  let loading: Promise<Validator<Data>> | undefined;
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined; // a broken connection: the next try loads again
      throw error;
    });
    return loading;
  };
  return {
    preload: () => void get().catch(() => undefined),
    validate: async (values) => (await get()).validate(values),
  };
}
