import { z } from "zod";
import { REVOCATION_REASONS } from "~/domain/certificates/revocation/reasons";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";

/** Returns the schema of a certificate's status in answers. */
export const answeredStatus = () => z.enum(CERTIFICATE_STATUSES);

/** Returns the schema of a revocation reason in answers. */
export const answeredReason = () =>
  z.string().openapi({
    enum: [...REVOCATION_REASONS.map(({ description }) => description), ""],
    description: "Empty when there is none",
  });
