import { isPortalError, PortalError } from "~/lib/errors";
import { type CertificateStatus } from "~db/tables";

interface Decidable {
  status: CertificateStatus;
  tbsCertificate: Buffer | null;
}

/** Returns whether staff or the owner can still decide about this order. */
export const isOpenOrder = ({ status, tbsCertificate }: Decidable): boolean => status === "Pending" && !tbsCertificate;

/** Returns whether the TBS certificate is recorded but the certificate does not exist yet: it is being signed, or signing failed. */
export const isIssuing = ({ status, tbsCertificate }: Decidable): boolean =>
  status === "Pending" && tbsCertificate !== null;

/** Shown to staff. A failure is only in the log, and the job tries again. */
export const ISSUING = "Issuing is under way or failed, it is tried again every minute";

/** Shown to staff where they can end the issuing by hand. */
export const ISSUING_HELP =
  "If that does not end, for example because the CA's key is lost, undo the approval: the order is pending again and can be rejected or cancelled.";

/** Returns a sentence with the outcome of an order that is no longer open. */
export function outcomeOf({ status }: Pick<Decidable, "status">): string {
  if (status === "Pending") return "This order has already been approved and its certificate is being issued.";
  if (status === "Rejected") return "This order has already been rejected.";
  if (status === "Cancelled") return "This order has already been cancelled.";
  return "This order has already been approved and its certificate has been issued.";
}

/** The error code of `notOpen`. */
export const NOT_OPEN = "certificate.not-pending";

export const notOpen = (order: Pick<Decidable, "status">) => new PortalError(outcomeOf(order), { code: NOT_OPEN });

const WAITS_FOR_GRANT = "certificate.waits-for-grant";

/** The error of an approved order whose certificate the approver has not granted to the signer yet. */
export const waitsForGrant = () =>
  new PortalError("The order is approved. Its certificate is issued when you have confirmed it to the signer.", {
    code: WAITS_FOR_GRANT,
  });

/** The error of an approved order whose certificate cannot be signed at the moment, for example because the signer is away. */
export const notSignedYet = (cause: unknown) =>
  new PortalError(
    "The order is approved, but its certificate cannot be signed at the moment. The portal tries again every minute.",
    { code: "certificate.not-signed-yet", cause },
  );

export const isWaitingForGrant = (error: unknown): boolean => isPortalError(error) && isGrantMissing(error);

/** Returns whether the code of an order that is not issued says that its approver has not granted it yet. */
export const isGrantMissing = ({ code }: { code: string }): boolean => code === WAITS_FOR_GRANT;
