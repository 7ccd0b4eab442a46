import { z } from "zod";
import { optionalNote, requiredNote } from "~/lib/fields";
import { personShape } from "../accounts.schema";
import { keptOr } from "../user-details.schema";
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

/** Stored texts that stay valid while they are not changed. Imported ones can be longer than the form allows. */
export type KeptPerson = Readonly<Record<"firstName" | "lastName" | "position" | "telephoneNumber" | "email", string>>;

/** Returns the schema of the details that a user administrator changes for the person of an account. */
export const personSchema = (kept: KeptPerson) =>
  z.object({
    /** The version of the details that the page showed. */
    version: z.string().default(""),
    firstName: keptOr(kept.firstName, personShape.firstName),
    lastName: keptOr(kept.lastName, personShape.lastName),
    position: keptOr(kept.position, personShape.position),
    telephoneNumber: keptOr(kept.telephoneNumber, personShape.telephoneNumber),
    email: keptOr(kept.email, personShape.email),
  });

export type PersonForm = z.infer<ReturnType<typeof personSchema>>;
