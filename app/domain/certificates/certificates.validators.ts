import { withZod } from "@remix-validated-form/with-zod";
import { rowChoiceSchema } from "./list.schema";
import { queueSchema } from "./queue.schema";
import { revocationSchema } from "./revocation.schema";

export const rowChoice = withZod(rowChoiceSchema);
export const revocation = withZod(revocationSchema);
export const queue = withZod(queueSchema);
