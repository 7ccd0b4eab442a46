import { PortalError } from "~/lib/errors";

/** How long an authString can be used: the page that it opens sends it back at once. */
export const AUTH_STRING_LIFETIME_MS = 60_000;

/**
 * Throws a PortalError when an administrator acts as the user: `what` ('the password') is changed by nobody but its owner.
 * In: the form's field for it, where the form stays as it is.
 */
export function demandOwnHand({ impersonator }: { impersonator: object | null }, what: string, field?: string): void {
  if (!impersonator) return;
  const message = `An administrator who acts as a user cannot change ${what}.`;
  throw new PortalError(message, { code: "account.acting", ...(field ? { field } : { status: 403 }) });
}
