import { foldName } from "~/lib/fold-text";
import { type CertificateStatus } from "~db/tables";

/** The part of a subject that says whose key it is. */
export interface KeySubject {
  commonName: string;
  organisation: string;
  country: string;
}

/** A certificate or an order that has a key. */
export interface KeyHolder extends KeySubject {
  id: number;
  orderId: number;
  userId: number;
  status: CertificateStatus;
  /** Its certificate was issued or is being signed. */
  isCertified: boolean;
}

/** Orders that ended without a certificate hold no key. */
const isEnded = ({ status }: KeyHolder) => status === "Cancelled" || status === "Rejected";

const isSame = (one: string, other: string) => foldName(one) === foldName(other);

const hasSubject = (holder: KeyHolder, subject: KeySubject) =>
  isSame(holder.commonName, subject.commonName) &&
  isSame(holder.organisation, subject.organisation) &&
  isSame(holder.country, subject.country);

/** Whether another account has, had or is about to get a certificate of the key. Then nobody else gets one. */
export const isCertifiedForAnother = (holder: KeyHolder, ownerId: number): boolean =>
  holder.userId !== ownerId && holder.isCertified;

/** Whether the key belongs to a certificate or an open order of another subject, whoever owns it. Names are compared by `foldName`. */
export const isOfOtherSubject = (holder: KeyHolder, subject: KeySubject): boolean =>
  !isEnded(holder) && !hasSubject(holder, subject);

/** Whether a certificate or an open order has the key. */
export const isTaken = (holder: KeyHolder): boolean => !isEnded(holder);
