import { DAY } from "~/lib/dates";

/**
 * Whether complete registration is still to be done: the company's registration number or an address was never saved.
 * Staff who are no applicants order nothing and need none.
 */
export const hasDetailsMissing = (user: {
  isApplicant: boolean;
  companyRegistrationNumber: string | null;
  companyAddressId: number | null;
  invoicingAddressId: number | null;
}): boolean =>
  user.isApplicant && (!user.companyRegistrationNumber || !user.companyAddressId || !user.invoicingAddressId);

/** VAT is mandatory for companies in the EU and the UK. */
export const vatRequired = (country: { iso: string; euMember: boolean }): boolean =>
  country.euMember || country.iso === "GB";

export type PasswordAge = "fresh" | "aboutToExpire" | "expired";

/** How long before its end a password is 'about to expire', in days. */
const EXPIRY_NOTICE_DAYS = 14;

/** How old a password is. `maxAgeDays` comes from the configuration; 0 = passwords never expire. */
export function passwordAge(
  user: { passwordChangedAt: string; mustChangePassword: boolean },
  maxAgeDays: number,
  now: Date,
): PasswordAge {
  if (user.mustChangePassword) return "expired";
  if (maxAgeDays === 0) return "fresh";
  const daysLeft = maxAgeDays - (now.getTime() - Date.parse(user.passwordChangedAt)) / DAY;
  if (daysLeft <= 0) return "expired";
  return daysLeft <= EXPIRY_NOTICE_DAYS ? "aboutToExpire" : "fresh";
}

/** Why a password of fewer characters is refused. */
export const passwordTooShort = (minLength: number): string =>
  `The password must have at least ${minLength} characters.`;

/** How long the nth lock in a row of an account lasts, in minutes: 15, 30, 60 … at most a day. */
export const lockMinutes = (lockCount: number): number => Math.min(15 * 2 ** (lockCount - 1), 24 * 60);

/** Failures in a row that lock the account. */
export const MAX_FAILURES = 5;

/** What wrong passwords have left behind, as the database holds it. */
export interface Tries {
  failedLogins: number;
  lastFailureAt: string | null;
  lockCount: number;
  lockedUntil: string | null;
}

const isOlderThanADay = (moment: string | null, now: Date) =>
  moment !== null && now.getTime() - Date.parse(moment) > DAY;

/** Wrong passwords in a row with this one; those of more than a day ago are forgotten. */
export const failuresWith = ({ failedLogins, lastFailureAt }: Tries, now: Date): number =>
  (isOlderThanADay(lastFailureAt, now) ? 0 : failedLogins) + 1;

/** Locks in a row with this one; after a day without one they are forgotten. */
export const locksWith = ({ lockCount, lockedUntil }: Tries, now: Date): number =>
  (isOlderThanADay(lockedUntil, now) ? 0 : lockCount) + 1;
