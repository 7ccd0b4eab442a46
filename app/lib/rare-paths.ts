import { paths, segment, withQuery } from "./paths";

/** The URLs that only one or two pages link. */
export const rarePaths = {
  /** A configuration file of openssl for these details. */
  prepareCsrFile: (query: Record<string, string> = {}) => withQuery("/prepare-csr/request.cnf", query),
  openApi: "/api/openapi.json",
  /** The public status as JSON, and an Atom feed of what was late or down. */
  statusJson: "/status.json",
  statusFeed: "/status.atom",
  /** The page on which a contact authorises an order. */
  authoriseOrder: (token: string) => `/authorise-order/${segment(token)}`,
  /** The page of an invitation to a company. */
  invitation: (token: string) => `/invitation/${segment(token)}`,
  /** The registration of somebody who was invited to a company. */
  registerInvited: (token: string) => withQuery("/register", { invitation: token }),
  /** Adds an authenticator app. `offer` is its sealed secret; the page makes one without it. */
  newAuthenticatorApp: (redirectTo?: string, offer?: string) =>
    withQuery("/second-factors/app", { offer, redirectTo: redirectTo === paths.dashboard ? undefined : redirectTo }),
  /** The page with a link to the private file at this address. */
  privateFile: (address: string) => withQuery("/home/file", { address }),
  /** Tells whether a form can be shown in its frame. */
  frameProblem: (targetSite: string, targetUrl: string) =>
    ["/home/frame-problem", ...[targetSite, targetUrl].map(segment)].join("/"),
  certificateFile: (id: number, query: { certificateType?: string; encoding?: string; fileExtension?: string } = {}) =>
    withQuery(`/home/certificate-file/${segment(id)}`, query),
  /** The CSV files of the certificates and of the codes. They take the query string of the list page. */
  certificatesFile: "/home/certificates/export.csv",
  /** The files of the certificates as a ZIP archive. It takes the query string of the list page, too. */
  certificatesArchive: "/home/certificates/files.zip",
  codesFile: "/home/codes/export.csv",
  certificateCsr: (id: number) => `/home/certificate-csr/${segment(id)}`,
  /** Names another authentication contact for a pending order. */
  orderContact: (id: number) => `/home/orders/${segment(id)}/contact`,
  certificateReissue: (id: number) => `/home/certificate/reissue/${segment(id)}`,
  /** A contact in a form that is being filled in, a new one without `contact`. With `code` the contact is read-only. */
  codeContact: (query: { draft?: string; code?: number; contact?: number; from?: string }) =>
    withQuery("/home/codes/code-details/contact-details", query),
  codeAuditLog: (code: number, from?: string) => withQuery("/home/codes/code-details/audit-log", { code, from }),
  /** The first step of an order that was begun earlier. Its page says that the order is resumed. */
  resumedOrder: (firstStep: string) => `${firstStep}&resumed=yes`,
  /** The invoice step of an order, filled in with the address of the last order. */
  lastInvoiceAddress: (invoiceStep: string) => `${invoiceStep}&address=last`,
  /** The invoice of a sales order, where it is issued and credited. */
  salesOrderInvoice: (order: number) => withQuery("/home/sale-orders/details/invoice", { order }),
  /** Returns the value of a promotion code while it is typed. */
  promotionLookUp: (code: string) => withQuery("/home/certificate/purchase/promotion", { code }),
  /** Searches everything that the user may see. */
  search: (words?: string) => withQuery("/home/search", { q: words }),
  /** The first results of a search as JSON, while the words are typed. */
  suggestions: (words: string) => withQuery("/home/search/suggestions", { q: words }),
} as const;
