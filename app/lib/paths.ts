/** Every URL of the portal, made in one place. Ids and tokens are encoded here and nowhere else. */
const segment = (value: string | number) => encodeURIComponent(String(value));
const withQuery = (path: string, query: Record<string, string | number | undefined>) => {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, String(value));
  const text = params.toString();
  return text ? `${path}?${text}` : path;
};

const DASHBOARD = "/home/dashboard";

/** An address that carries the page asked for; the dashboard is where the way goes on anyway. */
const withTarget = (path: string, redirectTo: string | undefined) =>
  withQuery(path, { redirectTo: redirectTo === DASHBOARD ? undefined : redirectTo });

export type WizardStep = "contact-details" | "order" | "invoice-address" | "order-complete";
/** The wizards that order a certificate; order-complete is shared. */
export type CertificateWizard = "purchase" | "renew";

/** A step of either wizard; the last one is shared (PUR-01, REN-01). */
const certificateWizard = (wizard: CertificateWizard, step: WizardStep, draft?: string) =>
  withQuery(`/home/certificate/${step === "order-complete" ? "purchase" : wizard}/${step}`, { draft });

export const paths = {
  root: "/",
  /** The root route for somebody whose session has ended: it has the login. */
  loginAtRoot: (redirectTo?: string) => withTarget("/", redirectTo),
  login: (redirectTo?: string) => withTarget("/login", redirectTo),
  logout: "/logout",
  theme: "/theme",
  register: "/register",
  completeRegistration: (redirectTo?: string) => withTarget("/complete-registration", redirectTo),
  forgotPassword: "/forgot-password",
  resetCode: "/reset-code",
  resetCodeLink: (token: string, email: string) => `/reset-code/${segment(token)}/${segment(email)}`,
  changePassword: (redirectTo?: string) => withTarget("/change-password", redirectTo),
  /** The notice of a password that is about to expire, or has expired. */
  passwordExpiry: (redirectTo?: string) => withTarget("/password-expiry", redirectTo),
  loginAsUser: (userId: number, authString: string) => `/login-as-user/${segment(userId)}/${segment(authString)}`,
  /** Where an administrator who acts as a user becomes themself again. */
  endLoginAsUser: "/end-login-as-user",
  verifyEmail: (token: string, redirectTo?: string) => withTarget(`/verify-email/${segment(token)}`, redirectTo),
  resendVerification: (redirectTo?: string) => withTarget("/resend-verification", redirectTo),
  authoriseOrder: (token: string) => `/authorise-order/${segment(token)}`,
  /** Where a contact says: not me, send nothing more. */
  noMoreMessages: (token: string) => `/no-more-messages/${segment(token)}`,
  publicRepository: "/certificate-repository",
  policy: (name: string) => `/certificate-repository/${segment(name)}`,
  prepareCsr: (query: Record<string, string> = {}) => withQuery("/prepare-csr", query),
  /** openssl's configuration file for these details. */
  prepareCsrFile: (query: Record<string, string> = {}) => withQuery("/prepare-csr/request.cnf", query),
  repositoryFile: (file: string) => `/repository/${segment(file)}`,
  ocsp: "/ocsp",
  apiDocs: "/api/docs",
  openApi: "/api/openapi.json",
  dashboard: DASHBOARD,
  /** The page that links the private file at this address. */
  privateFile: (address: string) => withQuery("/home/file", { address }),
  userManagement: "/home/user-management",
  consolidateUsers: (redirectTo?: string) => withTarget("/consolidate-users", redirectTo),
  users: "/home/users",
  user: (id: number) => `/home/users/${segment(id)}`,
  overview: "/home/overview",
  jobs: "/home/jobs",
  auditTrail: "/home/audit-trail",
  auditTrailFile: "/home/audit-trail/file",
  mail: "/home/mail",
  mailTemplates: "/home/mail/templates",
  /** One kind of message by its examples; `example` counts from 1. */
  mailTemplate: (kind: string, example?: number) => withQuery(`/home/mail/templates/${segment(kind)}`, { example }),
  /** The HTML part of an example, for the frame of the page above. */
  mailTemplateHtml: (kind: string, example?: number) =>
    withQuery(`/home/mail/templates/${segment(kind)}/html`, { example }),
  manage: "/home/manage",
  frame: (targetSite: string, targetUrl: string, json?: string) =>
    ["/home/frame", ...[targetSite, targetUrl, json].filter((part) => part !== undefined).map(segment)].join("/"),
  /** Whether the frame of a form can show it. */
  frameProblem: (targetSite: string, targetUrl: string) =>
    ["/home/frame-problem", ...[targetSite, targetUrl].map(segment)].join("/"),
  verifyPartnerToken: "/partner/verify-token",
  robots: "/robots.txt",
  sitemap: "/sitemap.xml",
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
   * One code by its id, the registration of an entity (`type`) or sub-entity (`parent`), or either as it is being typed (`draft`).
   * `from`: the page and place of the list or search that it was opened from, where Back leads.
   */
  codeDetails: (query: { code?: number; type?: string; parent?: number; draft?: string; from?: string } = {}) =>
    withQuery("/home/codes/code-details", query),
  /** A contact of the form that is being typed, a new one without `contact`; one of a `code` only to be read. */
  codeContact: (query: { draft?: string; code?: number; contact?: number; from?: string }) =>
    withQuery("/home/codes/code-details/contact-details", query),
  codeAuditLog: (code: number, from?: string) => withQuery("/home/codes/code-details/audit-log", { code, from }),
  searchCodes: "/home/search-codes",
  codePurchase: (step: WizardStep, draft?: string) => withQuery(`/home/code/purchase/${step}`, { draft }),
  saleOrders: "/home/sale-orders",
  /** A CSV file of these orders, or of all of a search. */
  saleOrdersFile: (query: string) => `/home/sale-orders/export.csv?${query}`,
  /** One sales order by its id; `from`: the page and place of the list that it was opened from, where Back leads. */
  saleOrder: (order: number, from?: string) => withQuery("/home/sale-orders/details", { order, from }),
  /** The invoice of a sales order: what it says, issuing and crediting it. */
  saleOrderInvoice: (order: number) => withQuery("/home/sale-orders/details/invoice", { order }),
  /** The PDF of an invoice or credit note. */
  invoice: (id: number) => `/home/invoice/${segment(id)}`,
  promotionCodes: "/home/promotion-codes",
  newPromotionCode: "/home/promotion-codes/new",
  newPromotionCodes: "/home/promotion-codes/bulk",
  promotionCodeFile: (batch: string) => `/home/promotion-codes/file/${segment(batch)}`,
  certificateWizard,
  /** What a promotion code is worth, asked while it is typed. */
  promotionLookUp: (code: string) => withQuery("/home/certificate/purchase/promotion", { code }),
  certificateQueue: "/home/certificate-queue",
  certificateQueueOrder: (id: number) => `/home/certificate-queue/${segment(id)}`,
} as const;

/** Pages that show the HTML part of a message in a frame, and the part itself. */
export const MAIL_PREVIEW_PATH = /^\/home\/mail\/templates\/[^/]+\/?$/i;
export const MAIL_PART_PATH = /^\/home\/mail\/templates\/[^/]+\/html\/?$/i;

/** Pages that show a framed form: only they may show the configured endpoints. */
export const FRAME_PATH = /^\/home\/frame\/./i;
