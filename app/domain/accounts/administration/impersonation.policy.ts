import { PortalError } from "~/lib/errors";

/** How long an authString can be used, in milliseconds. The page that it opens sends it back at once. */
export const AUTH_STRING_LIFETIME_MS = 60_000;

/**
 * Throws a PortalError (403) when an administrator acts as the user.
 *
 * @param what What only the user may change, such as 'the password'.
 * @param field The form field at which a page shows the error.
 */
export function requireNoImpersonation(
  { impersonator }: { impersonator: object | null },
  what: string,
  field?: string,
): void {
  if (!impersonator) return;
  const message = `An administrator who acts as a user cannot change ${what}.`;
  throw new PortalError(message, { code: "account.acting", status: 403, ...(field && { field }) });
}
