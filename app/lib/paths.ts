/**
 * Every URL that a page links is made in this module. Those that only the server makes are in server-paths.server.ts, and those that few
 * pages link in account-paths.ts, staff-paths.ts and rare-paths.ts, so that browsers do not load them with every page.
 */
export const segment = (value: string | number) => encodeURIComponent(String(value));
export const withQuery = (path: string, query: Record<string, string | number | undefined>) => {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, String(value));
  const text = params.toString();
  return text ? `${path}?${text}` : path;
};

const DASHBOARD = "/home/dashboard";

/** Adds the requested page to a path. The dashboard is omitted because it is the default. */
export const withTarget = (path: string, redirectTo: string | undefined) =>
  withQuery(path, { redirectTo: redirectTo === DASHBOARD ? undefined : redirectTo });

export type WizardStep = "contact-details" | "order" | "invoice-address" | "order-complete";
/** The wizards that order a certificate. They share order-complete. */
export type CertificateWizard = "purchase" | "renew";

/** Returns the URL of a step of either wizard. The last step is shared (PUR-01, REN-01). */
const certificateWizard = (wizard: CertificateWizard, step: WizardStep, draft?: string) =>
  withQuery(`/home/certificate/${step === "order-complete" ? "purchase" : wizard}/${step}`, { draft });

export const paths = {
  root: "/",
  login: (redirectTo?: string) => withTarget("/login", redirectTo),
  /** Sends the browser to the identity provider. With `confirm`, it asks again who is at the browser. */
  singleSignOn: (redirectTo?: string, confirm?: "yes") => withQuery("/login/sso", { confirm, redirectTo }),
  logout: "/logout",
  theme: "/theme",
  register: "/register",
  forgotPassword: "/forgot-password",
  resetCode: "/reset-code",
  changePassword: (redirectTo?: string) => withTarget("/change-password", redirectTo),
  /** The notice that a password is about to expire or has expired. */
  passwordExpiry: (redirectTo?: string) => withTarget("/password-expiry", redirectTo),
  /** Ends acting as a user and returns the administrator to their own account. */
  endLoginAsUser: "/end-login-as-user",
  resendVerification: (redirectTo?: string) => withTarget("/resend-verification", redirectTo),
  publicRepository: "/certificate-repository",
  /** How fresh what the CA publishes is. */
  status: "/status",
  policy: (name: string) => `/certificate-repository/${segment(name)}`,
  prepareCsr: (query: Record<string, string> = {}) => withQuery("/prepare-csr", query),
  /** Judges a CSR before there is an order. */
  checkCsr: "/check-csr",
  /** Reports a private key as compromised, without an account. */
  reportKey: "/report-key",
  /** The page of all rules for CSRs, or one rule on it. */
  csrRules: (code?: string) => `/csr-rules${code === undefined ? "" : `#${code}`}`,
  repositoryFile: (file: string) => `/repository/${segment(file)}`,
  apiDocs: "/api/docs",
  dashboard: DASHBOARD,
  userManagement: "/home/user-management",
  sessions: "/home/sessions",
  /** The company in which the user works: its details and members. */
  company: "/home/company",
  /** The domains and mailboxes of the company in which the user works. */
  domains: "/home/company/domains",
  companyMember: (id: number) => `/home/company/${segment(id)}`,
  /** Chooses another company to work in. */
  chooseCompany: "/company-choice",
  /** The second factors of the account. It is open to staff who must add one before they go on. */
  secondFactors: (redirectTo?: string) => withTarget("/second-factors", redirectTo),
  /** All companies, and the page of one, for staff. */
  companies: "/home/companies",
  companyPage: (id: number) => `/home/companies/${segment(id)}`,
  companyNotes: (id: number) => `/home/companies/${segment(id)}/notes`,
  users: "/home/users",
  user: (id: number) => `/home/users/${segment(id)}`,
  homeRepository: "/home/certificate-repository",
  certificates: "/home/certificates",
  certificateDetails: (id: number) => `/home/certificate-details/${segment(id)}`,
  certificateDownload: (id: number) => `/home/certificate-download/${segment(id)}`,
  certificateRevoke: (id: number) => `/home/certificate/revoke/${segment(id)}`,
  certificatePurchase: (step: WizardStep, draft?: string) => certificateWizard("purchase", step, draft),
  /** The orders of the company, and the page of one. */
  orders: "/home/orders",
  order: (id: number) => `/home/orders/${segment(id)}`,
  codes: "/home/codes",
  /**
   * The page of a code by its id (`code`), of the registration of an entity (`type`) or sub-entity (`parent`), or of either while its form
   * is filled in (`draft`). `from` is the page and query string of the list page or search that it was opened from, to which Back leads.
   */
  codeDetails: (query: { code?: number; type?: string; parent?: number; draft?: string; from?: string } = {}) =>
    withQuery("/home/codes/code-details", query),
  searchCodes: "/home/search-codes",
  codePurchase: (step: WizardStep, draft?: string) => withQuery(`/home/code/purchase/${step}`, { draft }),
  salesOrders: "/home/sale-orders",
  /** One sales order by its id. `from` is the page and query string of the list page that it was opened from, to which Back leads. */
  salesOrder: (order: number, from?: string) => withQuery("/home/sale-orders/details", { order, from }),
  /** The PDF of an invoice or credit note. */
  invoice: (id: number) => `/home/invoice/${segment(id)}`,
  certificateWizard,
  certificateQueue: "/home/certificate-queue",
  certificateQueueOrder: (id: number) => `/home/certificate-queue/${segment(id)}`,
} as const;

/** Pages that show the HTML part of a message in a frame, and the HTML part itself. */
export const MAIL_PREVIEW_PATH = /^\/home\/mail\/templates\/[^/]+\/?$/i;
export const MAIL_PART_PATH = /^\/home\/mail\/templates\/[^/]+\/html\/?$/i;

/** Pages that show a framed form. Only they may frame the configured endpoints. */
export const FRAME_PATH = /^\/home\/frame\/./i;
