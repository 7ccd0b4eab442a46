import { z } from "zod";
import { optionalNote, requiredNote } from "~/lib/fields";
import { personShape } from "../accounts.schema";
import { ACTION_REASON_LIMIT } from "./user-administration-texts";
import { USER_ACTIONS } from "./user-administration.policy";

const [disable, lock, resetFactors, erase, ...others] = USER_ACTIONS;

/** The buttons on the page of an account. Disabling, locking, resetting factors and erasing require a reason. */
export const userActionSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum([disable, lock, resetFactors, erase]),
    reason: requiredNote(ACTION_REASON_LIMIT),
  }),
  z.object({ intent: z.enum(others), reason: optionalNote(ACTION_REASON_LIMIT) }),
]);

/** The person for whom a user administrator makes an account. */
export const newUserSchema = z.object(personShape);

export type NewUserForm = z.infer<typeof newUserSchema>;
