import { formatEuro } from "~/lib/money";

/** For how many months after staff checked the organisation a standing authorisation can be in force. */
export const IDENTITY_MONTHS = 13;

/** How many standing authorisations of a company can wait or be in force at the same time. */
export const MOST_STANDING = 20;

/** How many orders a company can choose from as the basis of a standing authorisation. */
export const MOST_BASES = 20;

/** How many standing authorisations staff see in the list. */
export const STANDING_SHOWN = 200;

/** The days before the end of a standing authorisation on which the owners of the company are reminded, earliest reminder first. */
export const STANDING_REMINDER_DAYS = [30, 7] as const;

/** The largest ceilings. */
export const MOST_CERTIFICATES = 10_000;
export const MOST_CENTS = 100_000_000;

/** The maximum length of reasons and notes, in characters. */
export const STANDING_NOTE_LIMIT = 500;

/** The ids of the forms. */
export const ASK_STANDING_FORM = "ask-standing";
export const ORDER_UNDER_FORM = "order-under";
export const END_STANDING_FORM = "end-standing";
export const CHECK_STANDING_FORM = "check-standing";
export const CONFIRM_STANDING_FORM = "confirm-standing";

export const STANDING_LABELS = {
  basis: "Order with the checked identity",
  usage: "Usages that certificates may have",
  hasSecureSession: "Secure session",
  hasEmail: "E-mail",
  hasEncryption: "Encryption",
  hasFileSigning: "File signing",
  longestYears: "Longest validity",
  purchaseOrderNumber: "Purchase order number",
  ceilingCertificates: "Certificates at most",
  ceilingEuro: "Net amount at most, in euro",
  isInvoicedMonthly: "One invoice a month",
  lastDay: "Last day",
  termsAndConditionsAccepted: "Terms and conditions",
} as const;

const STANDING = "standing authorisation";

/** Returns how pages, messages and the audit trail call a standing authorisation. */
export const standingName = (id: number): string => `${STANDING} ${id}`;

/** Returns whether this is the name of a standing authorisation, as the checks of an order within one have it. */
export const isStandingName = (text: string | null): boolean => text?.startsWith(`${STANDING} `) ?? false;

/** What customers are told about an order within a standing authorisation that no approver has confirmed to the signer. */
export const UNCONFIRMED =
  "The standing authorisation does not count at the signer now. The certificate is issued when our staff have confirmed it there.";

/** Both ceilings, or what is used or left of them, in words: `12 certificates, €3,456.00`. */
export function amountsText({ certificates, cents }: { certificates: number | null; cents: number | null }): string {
  const count = certificates !== null && `${certificates} ${certificates === 1 ? "certificate" : "certificates"}`;
  return [count, cents !== null && formatEuro(cents)].filter(Boolean).join(", ");
}
