export type Theme = "system" | "light" | "dark";

/** A message that the next page shows once. */
export interface Toast {
  kind: "ok" | "warn" | "bad";
  text: string;
}

/** What somebody typed into a form that was sent after their session had ended. */
export interface UnsentForm {
  formId: string;
  values: Record<string, unknown>;
}

/** What every page's frame needs; the root loader's data. */
export interface Shell {
  user: {
    id: number;
    name: string;
    email: string;
    company: string;
    isAdmin: boolean;
    isApplicant: boolean;
    /** A duty is left (several accounts, an expired password, missing details): every link would lead back to it. */
    headerDisabled: boolean;
    /** The administrator who acts as this user. */
    impersonator: { name: string } | null;
  } | null;
  csrf: string;
  toast: Toast | null;
  /** What was typed before the session ended. */
  unsent: UnsentForm | null;
  theme: Theme;
  /** What crawlers are told of a page that they may read: its description and its one address. Null for every other page. */
  publicPage: { description: string; url: string } | null;
  /** When the page was read, an ISO timestamp. */
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

/** A form that the error page keeps in hidden fields, with one button. */
export interface KeptForm {
  action: string;
  fields: [name: string, value: string][];
  button: string;
}

/** What the error boundary reads. */
export interface ErrorBody {
  message: string;
  code: string;
  kept?: KeptForm;
}
