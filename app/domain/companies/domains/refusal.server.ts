import { PortalError } from "~/lib/errors";

/** Returns the error for a domain or mailbox that is refused, for one field of a form where it is named. */
export const domainRefusal = (message: string, field?: string) =>
  new PortalError(message, { code: "company.domain", ...(field && { field }) });
