import { recipientFor } from "~/domain/companies/recipient.server";
import { type DbOrTrx } from "~db/connection.server";
import { type PartnerRow } from "~db/repositories/certificate-partners.server";
import { listContactStops } from "~db/repositories/held-mails.server";

/** An entity of the register, with whoever registered it. */
interface Entity {
  userId: number;
  companyId: number;
  status: string;
}

/**
 * Returns the address at which the owner of an entity gets messages about it, or null when there is none: the entity is not registered any
 * more, or the owner cannot log in or has not confirmed the address. The address is for sending only and is never shown.
 */
export async function addressOfEntity(db: DbOrTrx, { userId, companyId, status }: Entity): Promise<string | null> {
  if (status !== "Registered") return null;
  const { email, emailVerifiedAt, isDisabled } = await recipientFor(db, { userId, companyId });
  return emailVerifiedAt === null || isDisabled ? null : email;
}

/** A partner with the address at which messages arrive, null when the partner cannot be reached, and whether messages are stopped. */
export interface ReachedPartner {
  partner: PartnerRow;
  address: string | null;
  isStopped: boolean;
}

function addressOf(db: DbOrTrx, { email, codeStatus, codeUserId, codeCompanyId }: PartnerRow) {
  if (email !== null) return email;
  if (codeStatus === null || codeUserId === null || codeCompanyId === null) return null;
  return addressOfEntity(db, { userId: codeUserId, companyId: codeCompanyId, status: codeStatus });
}

/** Returns partners with their addresses, and which of them want no more messages. */
export async function reachPartners(db: DbOrTrx, partners: readonly PartnerRow[]): Promise<ReachedPartner[]> {
  const reached = [];
  for (const partner of partners) reached.push({ partner, address: await addressOf(db, partner) });
  const stops = await listContactStops(
    db,
    reached.flatMap(({ address }) => address ?? []),
  );
  return reached.map(({ partner, address }) => ({
    partner,
    address,
    isStopped: partner.answer === "stopped" || (address !== null && stops.has(address.toLowerCase())),
  }));
}
