import { DAY } from "~/lib/dates";
import { type CompanyRole } from "~db/tables";

/**
 * Returns whether the account still has to complete its registration: the company registration number or an address is missing. Staff who
 * are no applicants order nothing and need none of them, and only owners state them for their company.
 */
export const hasDetailsMissing = (user: {
  isApplicant: boolean;
  role: CompanyRole | null;
  companyRegistrationNumber: string | null;
  companyAddressId: number | null;
  invoicingAddressId: number | null;
}): boolean =>
  user.isApplicant &&
  user.role === "owner" &&
  (!user.companyRegistrationNumber || !user.companyAddressId || !user.invoicingAddressId);

/** Returns whether companies in this country must give a VAT number. They must in the EU and the UK. */
export const vatRequired = (country: { iso: string; euMember: boolean }): boolean =>
  country.euMember || country.iso === "GB";

export type PasswordAge = "fresh" | "aboutToExpire" | "expired";

/** How long before its end a password counts as 'about to expire', in days. */
const EXPIRY_NOTICE_DAYS = 14;

/**
 * Returns how old a password is.
 *
 * @param maxAgeDays The configured maximum age in days; 0 means that passwords never expire.
 */
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

/** Returns the message for a password that is too short. */
export const passwordTooShort = (minLength: number): string =>
  `The password must have at least ${minLength} characters.`;

/** Returns how long the nth lock in a row lasts, in minutes: 15, 30, 60 and so on, at most a day. */
export const lockMinutes = (lockCount: number): number => Math.min(15 * 2 ** (lockCount - 1), 24 * 60);

/** The number of wrong passwords in a row that locks an account. */
export const MAX_FAILURES = 5;

/** The stored columns that count wrong passwords and locks. */
export interface Tries {
  failedLogins: number;
  lastFailureAt: string | null;
  lockCount: number;
  lockedUntil: string | null;
}

const isOlderThanADay = (timestamp: string | null, now: Date) =>
  timestamp !== null && now.getTime() - Date.parse(timestamp) > DAY;

/** Returns the number of wrong passwords in a row, including this one. Those that are more than a day old do not count. */
export const failuresWith = ({ failedLogins, lastFailureAt }: Tries, now: Date): number =>
  (isOlderThanADay(lastFailureAt, now) ? 0 : failedLogins) + 1;

/** Returns the number of locks in a row, including this one. Earlier locks do not count when the last one ended more than a day ago. */
export const locksWith = ({ lockCount, lockedUntil }: Tries, now: Date): number =>
  (isOlderThanADay(lockedUntil, now) ? 0 : lockCount) + 1;
