import { type Actor } from "~/domain/audit/audit.service.server";
import { type PasswordAge } from "./accounts.policy";

/** The signed-in user as pages and services see it. */
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
  /** Other accounts share the e-mail and are still to be merged. */
  hasSeveralAccounts: boolean;
  passwordAge: PasswordAge;
  /** The administrator who acts as this user. */
  impersonator: { id: number; name: string } | null;
  actor: Actor;
}
