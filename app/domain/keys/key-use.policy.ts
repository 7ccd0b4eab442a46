import { foldName } from "~/lib/fold-text";
import { type CertificateStatus } from "~db/tables";

/** The part of a subject that identifies the owner of a key. */
export interface KeySubject {
  commonName: string;
  organisation: string;
  country: string;
}

/** A certificate or an order with a key. */
export interface KeyHolder extends KeySubject {
  id: number;
  orderId: number;
  userId: number;
  companyId: number;
  status: CertificateStatus;
  /** Whether its certificate was issued or is being signed. */
  isCertified: boolean;
}

/** Returns whether an order ended without a certificate. Such an order no longer holds its key. */
const isEnded = ({ status }: KeyHolder) => status === "Cancelled" || status === "Rejected";

const isSame = (one: string, other: string) => foldName(one) === foldName(other);

const hasSubject = (holder: KeyHolder, subject: KeySubject) =>
  isSame(holder.commonName, subject.commonName) &&
  isSame(holder.organisation, subject.organisation) &&
  isSame(holder.country, subject.country);

/** Returns whether another company has had a certificate of the key, has one, or is about to get one. Then nobody else gets one. */
export const isCertifiedForAnother = (holder: KeyHolder, companyId: number): boolean =>
  holder.companyId !== companyId && holder.isCertified;

/**
 * Returns whether the key belongs to a certificate or an open order of another subject, whoever owns it. Names are compared with
 * `foldName`.
 */
export const isOfOtherSubject = (holder: KeyHolder, subject: KeySubject): boolean =>
  !isEnded(holder) && !hasSubject(holder, subject);

/** Returns whether a certificate or an open order has the key. */
export const isTaken = (holder: KeyHolder): boolean => !isEnded(holder);
