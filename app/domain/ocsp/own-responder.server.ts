import { memoize } from "~/lib/memoize.server";
import { ocspResponder } from "./answer.service.server";

/** The responder with which this process asks itself. Like every responder, it keeps a signed answer until it is due to be signed again. */
export const ownResponder = memoize(() => ocspResponder());
