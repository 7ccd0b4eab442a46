import { z } from "zod";
import { optionalText, requiredText } from "~/lib/fields";
import { ACTION_REASON_LIMIT } from "./user-administration-texts";
import { USER_ACTIONS } from "./user-administration.policy";

const [disable, lock, resetFactors, erase, ...others] = USER_ACTIONS;
const TOO_LONG = `The reason may have at most ${ACTION_REASON_LIMIT} characters.`;

/** The buttons on the page of an account. Disabling, locking, resetting factors and erasing require a reason. */
export const userActionSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum([disable, lock, resetFactors, erase]),
    reason: requiredText(ACTION_REASON_LIMIT, TOO_LONG),
  }),
  z.object({ intent: z.enum(others), reason: optionalText(ACTION_REASON_LIMIT, TOO_LONG) }),
]);
