import { segment, withTarget } from "./paths";

/** The addresses that no page links: those in emails and redirects, and those for programs. */
export const serverPaths = {
  /** The root route for a user whose session has ended. It has the login form. */
  loginAtRoot: (redirectTo?: string) => withTarget("/", redirectTo),
  resetCodeLink: (token: string, email: string) => `/reset-code/${segment(token)}/${segment(email)}`,
  loginAsUser: (userId: number, authString: string) => `/login-as-user/${segment(userId)}/${segment(authString)}`,
  verifyEmail: (token: string, redirectTo?: string) => withTarget(`/verify-email/${segment(token)}`, redirectTo),
  /** Where a contact stops all further messages. */
  noMoreMessages: (token: string) => `/no-more-messages/${segment(token)}`,
  ocsp: "/ocsp",
  sitemap: "/sitemap.xml",
  securityText: "/.well-known/security.txt",
};
