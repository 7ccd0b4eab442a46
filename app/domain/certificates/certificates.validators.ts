import { withZod } from "@remix-validated-form/with-zod";
import { rowChoiceSchema } from "./catalogue/list.schema";
import { cancellationSchema, queueSchema } from "./queue/queue.schema";
import { reissueSchema } from "./succession/reissue.schema";
import { revocationSchema } from "./revocation/revocation.schema";

export const rowChoice = withZod(rowChoiceSchema);
export const revocation = withZod(revocationSchema);
export const cancellation = withZod(cancellationSchema);
export const reissue = withZod(reissueSchema);
export const queue = withZod(queueSchema);
