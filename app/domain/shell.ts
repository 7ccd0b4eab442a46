import { type StaffRow } from "./homepage/staff-row.server";

export type Theme = "system" | "light" | "dark";

/** A message that the next page shows once. */
export interface Toast {
  kind: "ok" | "warn" | "bad";
  text: string;
  /** The anchor of the card that shows the message, for a page that opens there. Without it, or when the page lacks the card, the top of the page shows it. */
  at?: string;
}

/** The values of a form that was not processed: the session had ended, or the user had to confirm who they are. */
export interface UnsentForm {
  formId: string;
  values: Record<string, unknown>;
  /** Whether a password or an answer was typed, which is not kept. */
  hadSecrets: boolean;
}

/** The data of the root loader, which the frame of every page uses. */
export interface Shell {
  user: {
    id: number;
    name: string;
    email: string;
    company: string;
    /** The companies that the user can choose from, with the one in which they work. Empty with one company only. */
    companies: { id: number; name: string; isCurrent: boolean }[];
    /** Whether the user may open the certificate queue. */
    seesQueue: boolean;
    /** The row of pages for staff. Null for customers, and for users with a duty. */
    staffRow: StaffRow | null;
    isApplicant: boolean;
    /** Whether the user has a duty (several accounts, an expired password, missing details). Every link would lead back to it. */
    headerDisabled: boolean;
    /** The administrator who acts as this user, or null. */
    impersonator: { name: string } | null;
  } | null;
  csrf: string;
  toast: Toast | null;
  /** The values of a form that is filled in again, or null. */
  unsent: UnsentForm | null;
  theme: Theme;
  /** The description and the canonical address of a page that crawlers may read; null for every other page. */
  publicPage: { description: string; url: string } | null;
  /** When the page was loaded, as an ISO 8601 timestamp. */
  loadedAt: string;
  portal: {
    name: string;
    links: Record<
      | "helpLink"
      | "pricingLink"
      | "contactLink"
      | "faqLink"
      | "prepareCsrLink"
      | "termsAndConditionsLink"
      | "cookiesLink"
      | "privacyPolicyLink",
      string
    >;
    legal: {
      company: string;
      address: string;
      registration: string[];
      phone: string;
      fax: string;
      social: { name: string; url: string }[];
    };
    pasteBlocking: boolean;
  };
}

/** A form that the error page holds in hidden fields, with one button. */
export interface KeptForm {
  action: string;
  fields: [name: string, value: string][];
  button: string;
}

/** The data of the error page. */
export interface ErrorBody {
  message: string;
  code: string;
  kept?: KeptForm;
}
