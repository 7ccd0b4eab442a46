import { z } from "zod";
import { email, requiredNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { type CompanyRole } from "~db/tables";
import { ROLES } from "./roles.policy";
import { COMPANY_NOTE_LIMIT } from "./staff/company-parts.policy";

/** One of the roles of members. */
const role = z.enum([...ROLES] as [CompanyRole, ...CompanyRole[]], {
  errorMap: () => ({ message: messages.collection }),
});

/** What staff note about a company. */
export const companyNoteSchema = z.object({ note: requiredNote(COMPANY_NOTE_LIMIT) });

/** Whom to invite, and as what. */
export const invitationSchema = z.object({ email: email(), role });

/** The role to give to a member. */
export const roleSchema = z.object({ role });
