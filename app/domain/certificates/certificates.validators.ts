import { withZod } from "@remix-validated-form/with-zod";
import { rowChoiceSchema } from "./list.schema";
import { contactCheckSchema, csrCheckSchema, organisationCheckSchema, queueSchema, rejectSchema } from "./queue.schema";
import { revocationSchema } from "./revocation.schema";

export const rowChoice = withZod(rowChoiceSchema);
export const revocation = withZod(revocationSchema);
export const queue = {
  all: withZod(queueSchema),
  contact: withZod(contactCheckSchema),
  organisation: withZod(organisationCheckSchema),
  csr: withZod(csrCheckSchema),
  reject: withZod(rejectSchema),
};
