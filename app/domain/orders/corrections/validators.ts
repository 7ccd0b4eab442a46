import { lazyValidator } from "~/lib/lazy-validator";
import { type InvoiceCountry } from "../invoice-address.schema";

export const correctedOrderValidator = (countries: readonly InvoiceCountry[], isCertificate: boolean) =>
  lazyValidator(() =>
    import("./correction.schema").then(({ correctedOrderSchema }) => correctedOrderSchema(countries, isCertificate)),
  );
export const correctedTechnicalValidator = lazyValidator(() =>
  import("./correction.schema").then(({ correctedTechnicalSchema }) => correctedTechnicalSchema),
);
export const correctedContactValidator = lazyValidator(() =>
  import("./correction.schema").then(({ correctedContactSchema }) => correctedContactSchema),
);
