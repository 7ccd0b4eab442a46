import { getConfig } from "./config.server";
import { getEnv } from "./env.server";
import { segment, withQuery, withTarget } from "./paths";

/** Returns the whole address of the configured contact page. */
export const contactUrl = (): string => new URL(getConfig().contactLink, getEnv().publicUrl).href;

/** The addresses that no page links: those in emails and redirects, and those for programs. */
export const serverPaths = {
  /** The root route for a user whose session has ended. It has the login form. */
  loginAtRoot: (redirectTo?: string) => withTarget("/", redirectTo),
  /** The second page of the login, for accounts with a second factor. */
  loginFactor: (redirectTo?: string) => withTarget("/login/factor", redirectTo),
  /** Where the identity provider sends the browser back to. */
  singleSignOnCallback: "/login/sso/callback",
  /** Asks who is at the browser before the named task, which needs a fresh proof. */
  confirm: (redirectTo?: string, task?: string) => withQuery("/second-factors/confirm", { task, redirectTo }),
  frame: (targetSite: string, targetUrl: string, json?: string) =>
    ["/home/frame", ...[targetSite, targetUrl, json].filter((part) => part !== undefined).map(segment)].join("/"),
  /** A CSV file of the selected orders, or of all orders of a search. */
  salesOrdersFile: (query: string) => `/home/sale-orders/export.csv?${query}`,
  completeRegistration: (redirectTo?: string) => withTarget("/complete-registration", redirectTo),
  consolidateUsers: (redirectTo?: string) => withTarget("/consolidate-users", redirectTo),
  resetCodeLink: (token: string, email: string) => `/reset-code/${segment(token)}/${segment(email)}`,
  loginAsUser: (userId: number, authString: string) => `/login-as-user/${segment(userId)}/${segment(authString)}`,
  verifyEmail: (token: string, redirectTo?: string) => withTarget(`/verify-email/${segment(token)}`, redirectTo),
  /** Where a contact stops all further messages. */
  noMoreMessages: (token: string) => `/no-more-messages/${segment(token)}`,
  /** Where somebody stops the messages about an entity that they follow. */
  stopFollowing: (token: string) => `/stop-following/${segment(token)}`,
  /** Where a partner gets a certificate and confirms it, and one of its files. */
  newCertificate: (token: string) => `/new-certificate/${segment(token)}`,
  newCertificateFile: (token: string, form: string) => withQuery(`/new-certificate/${segment(token)}/file`, { form }),
  ocsp: "/ocsp",
  /** Answers while the process is alive. */
  alive: "/healthz",
  sitemap: "/sitemap.xml",
  securityText: "/.well-known/security.txt",
};
