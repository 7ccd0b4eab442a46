/**
 * Whether complete registration is still to be done: the company's registration number or an address was never saved.
 * Staff who are no applicants order nothing and need none.
 */
export const hasDetailsMissing = (user: {
  isApplicant: 0 | 1;
  companyRegistrationNumber: string | null;
  companyAddressId: number | null;
  invoicingAddressId: number | null;
}): boolean =>
  user.isApplicant === 1 && (!user.companyRegistrationNumber || !user.companyAddressId || !user.invoicingAddressId);

/** VAT is mandatory for companies in the EU and the UK. */
export const vatRequired = (country: { iso: string; euMember: boolean }): boolean =>
  country.euMember || country.iso === "GB";

export type PasswordAge = "fresh" | "aboutToExpire" | "expired";

const DAY = 86_400_000;
/** How long before its end a password is 'about to expire', in days. */
const EXPIRY_NOTICE_DAYS = 14;

/** How old a password is. `maxAgeDays` comes from the configuration; 0 = passwords never expire. */
export function passwordAge(
  user: { passwordChangedAt: string; mustChangePassword: 0 | 1 },
  maxAgeDays: number,
  now: Date,
): PasswordAge {
  if (user.mustChangePassword === 1) return "expired";
  if (maxAgeDays === 0) return "fresh";
  const daysLeft = maxAgeDays - (now.getTime() - Date.parse(user.passwordChangedAt)) / DAY;
  if (daysLeft <= 0) return "expired";
  return daysLeft <= EXPIRY_NOTICE_DAYS ? "aboutToExpire" : "fresh";
}

/** Why a password of fewer characters is refused. */
export const passwordTooShort = (minLength: number): string =>
  `The password must have at least ${minLength} characters.`;

/** How long the nth lock of an account lasts, in minutes: 15, 30, 60 … at most a day. */
export const lockMinutes = (lockCount: number): number => Math.min(15 * 2 ** (lockCount - 1), 24 * 60);

/** Failures in a row that lock the account. */
export const MAX_FAILURES = 5;
