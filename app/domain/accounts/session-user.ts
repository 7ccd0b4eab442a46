import { type Actor } from "~/domain/audit/audit.service.server";
import { type PasswordAge } from "./accounts.policy";

/** The user who is logged in, as pages and services see them. */
export interface SessionUser {
  id: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  company: string;
  position: string;
  telephoneNumber: string;
  isAdmin: boolean;
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
}
