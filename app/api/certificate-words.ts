import { z } from "zod";
import { REVOCATION_REASONS } from "~/domain/certificates/revocation/reasons";
import { CERTIFICATE_STATUSES } from "~db/tables";

/** The state of a certificate as it is answered. */
export const answeredStatus = () => z.enum(CERTIFICATE_STATUSES);

/** Why a certificate was revoked, as it is answered. */
export const answeredReason = () =>
  z.string().openapi({
    enum: [...REVOCATION_REASONS.map(({ description }) => description), ""],
    description: "Empty when there is none",
  });
