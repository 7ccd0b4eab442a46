import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { csrDetailsSchema } from "../request/csr-import.schema";

const id = z.number().int().positive();

/** Who changed a draft: the account, and the administrator who acted as it, or null. Older versions stored the account alone. */
const changerSchema = z.union([
  z.object({ userId: id, impersonatorId: id.nullable() }),
  id.transform((userId) => ({ userId, impersonatorId: null })),
]);

export type Changer = z.output<typeof changerSchema>;

/** Returns each account once for itself, and once for each administrator who acted as it. */
export const distinctChangers = <One extends Changer>(changers: readonly One[]): One[] => {
  const isSame = (one: Changer, other: Changer) =>
    one.userId === other.userId && one.impersonatorId === other.impersonatorId;
  return changers.filter((changer, index) => changers.findIndex((one) => isSame(one, changer)) === index);
};

/** The values that were typed in the steps of a purchase, and the imported CSR. */
export const purchaseDraftSchema = z.object({
  contact: z.record(z.string()).optional(),
  order: z.record(z.string()).optional(),
  /** The text of the imported CSR and its details. */
  imported: z.object({ csr: z.string(), details: csrDetailsSchema }).optional(),
  invoice: z.record(z.string()).optional(),
  /** Who typed the invoice address. */
  invoiceBy: id.optional(),
  /** Those who saved the contact or the request. A renewal that was handed over can have several. */
  changedBy: z.array(changerSchema).optional(),
});

/** The draft of a renewal. It also has the id of the certificate that is renewed. */
export const renewalDraftSchema = purchaseDraftSchema.extend({ renews: id });

export type PurchaseDraft = z.infer<typeof purchaseDraftSchema> & { renews?: number };

/** Returns the data of a draft with a user, and whoever acts as the user, added to those who changed it. */
export const changedBy = (
  { actor, ...user }: Pick<SessionUser, "id" | "actor">,
  data: PurchaseDraft,
): PurchaseDraft => ({
  ...data,
  changedBy: distinctChangers([
    ...(data.changedBy ?? []),
    { userId: user.id, impersonatorId: actor.impersonatorId ?? null },
  ]),
});
