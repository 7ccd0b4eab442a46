import { type Actor } from "~/domain/audit/audit.service.server";

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
  actor: Actor;
}
