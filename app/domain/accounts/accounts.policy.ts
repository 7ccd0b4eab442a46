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

/** Why a password of fewer characters is refused. */
export const passwordTooShort = (minLength: number): string =>
  `The password must have at least ${minLength} characters.`;

/** How long the nth lock of an account lasts, in minutes: 15, 30, 60 … at most a day. */
export const lockMinutes = (lockCount: number): number => Math.min(15 * 2 ** (lockCount - 1), 24 * 60);

/** Failures in a row that lock the account. */
export const MAX_FAILURES = 5;
