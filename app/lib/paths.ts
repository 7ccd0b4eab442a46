/**
 * Every URL that a page links is made in this module. Those that only the server makes are in server-paths.server.ts, and those that few
 * pages link in account-paths.ts and staff-paths.ts, so that browsers do not load them with every page.
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
  authoriseOrder: (token: string) => `/authorise-order/${segment(token)}`,
  publicRepository: "/certificate-repository",
  policy: (name: string) => `/certificate-repository/${segment(name)}`,
  prepareCsr: (query: Record<string, string> = {}) => withQuery("/prepare-csr", query),
  /** Judges a CSR before there is an order. */
  checkCsr: "/check-csr",
  /** The page of all rules for CSRs, or one rule on it. */
  csrRules: (code?: string) => `/csr-rules${code === undefined ? "" : `#${code}`}`,
  /** A configuration file of openssl for these details. */
  prepareCsrFile: (query: Record<string, string> = {}) => withQuery("/prepare-csr/request.cnf", query),
  repositoryFile: (file: string) => `/repository/${segment(file)}`,
  apiDocs: "/api/docs",
  openApi: "/api/openapi.json",
  dashboard: DASHBOARD,
  /** The page with a link to the private file at this address. */
  privateFile: (address: string) => withQuery("/home/file", { address }),
  userManagement: "/home/user-management",
  sessions: "/home/sessions",
  /** The company in which the user works: its details and members. */
  company: "/home/company",
  companyMember: (id: number) => `/home/company/${segment(id)}`,
  /** Chooses another company to work in. */
  chooseCompany: "/company-choice",
  /** The page of an invitation to a company. */
  invitation: (token: string) => `/invitation/${segment(token)}`,
  /** The registration of somebody who was invited to a company. */
  registerInvited: (token: string) => withQuery("/register", { invitation: token }),
  /** The second factors of the account. It is open to staff who must add one before they go on. */
  secondFactors: (redirectTo?: string) => withTarget("/second-factors", redirectTo),
  /** Adds an authenticator app. `offer` is its sealed secret; the page makes one without it. */
  newAuthenticatorApp: (redirectTo?: string, offer?: string) =>
    withQuery("/second-factors/app", { offer, redirectTo: redirectTo === DASHBOARD ? undefined : redirectTo }),
  /** All companies, and the page of one, for staff. */
  companies: "/home/companies",
  companyPage: (id: number) => `/home/companies/${segment(id)}`,
  companyNotes: (id: number) => `/home/companies/${segment(id)}/notes`,
  users: "/home/users",
  user: (id: number) => `/home/users/${segment(id)}`,
  /** Tells whether a form can be shown in its frame. */
  frameProblem: (targetSite: string, targetUrl: string) =>
    ["/home/frame-problem", ...[targetSite, targetUrl].map(segment)].join("/"),
  homeRepository: "/home/certificate-repository",
  certificates: "/home/certificates",
  certificateDetails: (id: number) => `/home/certificate-details/${segment(id)}`,
  certificateDownload: (id: number) => `/home/certificate-download/${segment(id)}`,
  certificateFile: (id: number, query: { certificateType?: string; encoding?: string; fileExtension?: string } = {}) =>
    withQuery(`/home/certificate-file/${segment(id)}`, query),
  certificateCsr: (id: number) => `/home/certificate-csr/${segment(id)}`,
  certificateReissue: (id: number) => `/home/certificate/reissue/${segment(id)}`,
  certificateRevoke: (id: number) => `/home/certificate/revoke/${segment(id)}`,
  certificatePurchase: (step: WizardStep, draft?: string) => certificateWizard("purchase", step, draft),
  codes: "/home/codes",
  /**
   * The page of a code by its id (`code`), of the registration of an entity (`type`) or sub-entity (`parent`), or of either while its form
   * is filled in (`draft`). `from` is the page and query string of the list page or search that it was opened from, to which Back leads.
   */
  codeDetails: (query: { code?: number; type?: string; parent?: number; draft?: string; from?: string } = {}) =>
    withQuery("/home/codes/code-details", query),
  /** A contact in a form that is being filled in, a new one without `contact`. With `code` the contact is read-only. */
  codeContact: (query: { draft?: string; code?: number; contact?: number; from?: string }) =>
    withQuery("/home/codes/code-details/contact-details", query),
  codeAuditLog: (code: number, from?: string) => withQuery("/home/codes/code-details/audit-log", { code, from }),
  searchCodes: "/home/search-codes",
  /** The first step of an order that was begun earlier. Its page says that the order is resumed. */
  resumedOrder: (firstStep: string) => `${firstStep}&resumed=yes`,
  codePurchase: (step: WizardStep, draft?: string) => withQuery(`/home/code/purchase/${step}`, { draft }),
  salesOrders: "/home/sale-orders",
  /** One sales order by its id. `from` is the page and query string of the list page that it was opened from, to which Back leads. */
  salesOrder: (order: number, from?: string) => withQuery("/home/sale-orders/details", { order, from }),
  /** The invoice of a sales order, where it is issued and credited. */
  salesOrderInvoice: (order: number) => withQuery("/home/sale-orders/details/invoice", { order }),
  /** The PDF of an invoice or credit note. */
  invoice: (id: number) => `/home/invoice/${segment(id)}`,
  certificateWizard,
  /** Returns the value of a promotion code while it is typed. */
  promotionLookUp: (code: string) => withQuery("/home/certificate/purchase/promotion", { code }),
  certificateQueue: "/home/certificate-queue",
  certificateQueueOrder: (id: number) => `/home/certificate-queue/${segment(id)}`,
} as const;

/** Pages that show the HTML part of a message in a frame, and the HTML part itself. */
export const MAIL_PREVIEW_PATH = /^\/home\/mail\/templates\/[^/]+\/?$/i;
export const MAIL_PART_PATH = /^\/home\/mail\/templates\/[^/]+\/html\/?$/i;

/** Pages that show a framed form. Only they may frame the configured endpoints. */
export const FRAME_PATH = /^\/home\/frame\/./i;
