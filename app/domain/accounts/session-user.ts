import { type ActingClient } from "~/domain/api-clients/scopes.policy";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type CompanyRole, type Proof, type SignOnStrength, type StaffRight } from "~db/tables";
import { type PasswordAge } from "./accounts.policy";
import { type Task } from "./rights.policy";

/** The user who is logged in, as pages and services see them. */
export interface SessionUser {
  id: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  /** The company in which the user works now, and its name. */
  companyId: number;
  company: string;
  /** The role in that company. */
  role: CompanyRole;
  position: string;
  telephoneNumber: string;
  /** Whether the account has the right Admin, which contains all rights of staff. */
  isAdmin: boolean;
  /** The rights of staff that count: all of them for the right Admin. */
  rights: readonly StaffRight[];
  /** For an API client of staff, the only tasks that it may do. */
  tasks?: readonly Task[];
  isApplicant: boolean;
  emailVerified: boolean;
  hasDetailsMissing: boolean;
  /** Whether other accounts share the email and must be merged. */
  hasSeveralAccounts: boolean;
  passwordAge: PasswordAge;
  /** The administrator who acts as this user, or null. */
  impersonator: { id: number; name: string } | null;
  actor: Actor;
  /** The session of the request, which is a browser's or a program's access token. Null outside of a request, as on the command line. */
  sessionId: string | null;
  /** When and with what the user last proved in this session who they are. */
  proof: { at: string; by: Proof } | null;
  /** For a session that single sign-on started, how the identity provider recognised the user. Null for every other session. */
  signedOnWith: SignOnStrength | null;
  /** Until when staff without a second factor may go on without one. Null when the account has one, or needs none. */
  factorDueAt: string | null;
  /** Whether that time is over. */
  isFactorOverdue: boolean;
  /** The API client that makes the call. The other values are then those of the person who answers for it, as far as the client has them. */
  apiClient: ActingClient | null;
}
