import { lazyValidator } from "~/lib/lazy-validator";

export const invitationValidator = lazyValidator(() =>
  import("./companies.schema").then(({ invitationSchema }) => invitationSchema),
);
export const roleValidator = lazyValidator(() => import("./companies.schema").then(({ roleSchema }) => roleSchema));
export const companyNoteValidator = lazyValidator(() =>
  import("./companies.schema").then(({ companyNoteSchema }) => companyNoteSchema),
);
