import { PortalError } from "~/lib/errors";
import { type CertificateStatus } from "~db/tables";

interface Decidable {
  status: CertificateStatus;
  tbsCertificate: Buffer | null;
}

/** Whether staff or the owner can still decide about this order. */
export const isOpenOrder = ({ status, tbsCertificate }: Decidable): boolean => status === "Pending" && !tbsCertificate;

/** Whether what is to be signed is recorded and the certificate is not there: it is being signed, or that failed. */
export const isIssuing = ({ status, tbsCertificate }: Decidable): boolean =>
  status === "Pending" && tbsCertificate !== null;

/** For staff: a failure is only in the log, and the job goes on trying. */
export const ISSUING = "Issuing is under way or failed, it is tried again every minute";

/** For staff, where an issuing can be ended by hand. */
export const ISSUING_HELP =
  "If that does not end, for example because the CA's key is lost, undo the approval: the order is pending again and can be rejected or cancelled.";

/** What became of an order that is not open any more. */
export function outcomeOf({ status }: Pick<Decidable, "status">): string {
  if (status === "Pending") return "This order has already been approved and its certificate is being issued.";
  if (status === "Rejected") return "This order has already been rejected.";
  if (status === "Cancelled") return "This order has already been cancelled.";
  return "This order has already been approved and its certificate has been issued.";
}

/** The code of `notOpen`. */
export const NOT_OPEN = "certificate.not-pending";

export const notOpen = (order: Pick<Decidable, "status">) => new PortalError(outcomeOf(order), { code: NOT_OPEN });
