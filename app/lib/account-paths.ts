import { segment } from "./paths";

/** Whose API clients a page is about: those of a company or those of staff. */
type ClientKind = "company" | "staff";

const apiClients = (kind: ClientKind) => (kind === "staff" ? "/home/users/api-clients" : "/home/company/api-clients");

/** The URLs of pages about the data of a person, about API clients, webhooks and domains, which few other pages link. */
export const accountPaths = {
  /** What the portal holds about the user, and the file with it. */
  personalData: "/home/personal-data",
  personalDataFile: "/home/personal-data/file",
  /** Where a user asks for the erasure of their data. */
  eraseData: "/home/personal-data/erasure",
  /** Where a user administrator makes an account for a person. */
  newUser: "/home/users/new",
  /** Where a user administrator imports accounts, the file to fill in, and a file that was checked with its report. */
  importUsers: "/home/users/import",
  importTemplate: "/home/users/import/template",
  preparedImport: (id: string) => `/home/users/import/${segment(id)}`,
  importReport: (id: string) => `/home/users/import/${segment(id)}/report`,
  /** Where a user administrator changes the details of the person of an account. */
  changeUser: (id: number) => `/home/users/${segment(id)}/details`,
  /** What was recorded about an account and of what its person did, and the file with it. */
  userTrail: (id: number) => `/home/users/${segment(id)}/trail`,
  userTrailFile: (id: number) => `/home/users/${segment(id)}/trail/file`,
  /** What the portal holds about a person, for staff, and the file with it. */
  userData: (id: number) => `/home/users/${segment(id)}/data`,
  userDataFile: (id: number) => `/home/users/${segment(id)}/data/file`,
  /** One of the domains and mailboxes of the company in which the user works. */
  domain: (id: number) => `/home/company/domains/${segment(id)}`,
  /** The standing authorisations of the company in which the user works, where an owner asks for one, and one of them. */
  standingAuthorisations: "/home/company/standing-authorisations",
  newStandingAuthorisation: "/home/company/standing-authorisations/new",
  standingAuthorisation: (id: number) => `/home/company/standing-authorisations/${segment(id)}`,
  /** The same page with the form that renews the certificate of an order. */
  renewalUnder: (standing: number, orderId: number) =>
    `/home/company/standing-authorisations/${segment(standing)}?renew=${orderId}`,
  /** The ACME keys of a standing authorisation, which owners make and revoke, and the lines for programs with one of them. */
  acmeLines: (standing: number, key: number) => `${accountPaths.acmeKeys(standing)}?key=${key}#automate`,
  acmeKeys: (standing: number) => `/home/company/standing-authorisations/${segment(standing)}/acme-keys`,
  /** Where staff end the confirmation of a domain. */
  endDomain: (companyId: number, id: number) => `/home/companies/${segment(companyId)}/domains/${segment(id)}`,
  /** The page behind the link that confirms a domain or mailbox. */
  confirmDomain: (token: string) => `/confirm-domain/${segment(token)}`,
  /** The API clients of the company in which the user works, or those of staff. */
  apiClients,
  newApiClient: (kind: ClientKind) => `${apiClients(kind)}/new`,
  apiClient: (kind: ClientKind, id: number) => `${apiClients(kind)}/${segment(id)}`,
  /** The webhooks of the company in which the user works, one of them, and something that was sent to it. */
  webhooks: "/home/company/webhooks",
  newWebhook: "/home/company/webhooks/new",
  webhook: (id: number) => `/home/company/webhooks/${segment(id)}`,
  webhookDelivery: (id: number, delivery: number) =>
    `/home/company/webhooks/${segment(id)}/deliveries/${segment(delivery)}`,
};
