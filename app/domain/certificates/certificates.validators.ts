import { formValidator } from "~/lib/validation";
import { rowChoiceSchema } from "./list.schema";
import { cancellationSchema, queueSchema } from "./queue.schema";
import { reissueSchema } from "./reissue.schema";
import { revocationSchema } from "./revocation.schema";

export const rowChoice = formValidator(rowChoiceSchema);
export const revocation = formValidator(revocationSchema);
export const cancellation = formValidator(cancellationSchema);
export const reissue = formValidator(reissueSchema);
export const queue = formValidator(queueSchema);
