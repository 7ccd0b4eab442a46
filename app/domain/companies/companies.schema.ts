import { z } from "zod";
import { email } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { type CompanyRole } from "~db/tables";
import { ROLES } from "./roles.policy";

/** One of the roles of members. */
const role = z.enum([...ROLES] as [CompanyRole, ...CompanyRole[]], {
  errorMap: () => ({ message: messages.collection }),
});

/** Whom to invite, and as what. */
export const invitationSchema = z.object({ email: email(), role });

/** The role to give to a member. */
export const roleSchema = z.object({ role });
