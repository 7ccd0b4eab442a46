import { paths } from "./paths";

interface PublicPage {
  /** The canonical address of the page. */
  path: string;
  /** Other addresses of the page. */
  aliases?: readonly string[];
  /** The text that search engines show below the title. */
  description: string;
}

/** The pages that crawlers may read, for the sitemap, canonical links and descriptions. */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  {
    path: paths.root,
    aliases: [paths.login()],
    description:
      "Log in or register to buy, renew and revoke digital certificates and to manage identification codes for the automotive supply chain.",
  },
  {
    path: paths.register,
    description: "Register a new account for digital certificates and identification codes.",
  },
  {
    path: paths.forgotPassword,
    description: "Recover the password of your account.",
  },
  {
    path: paths.publicRepository,
    description: "Root and issuing CA certificates and certificate revocation lists, free for everybody to download.",
  },
  {
    path: paths.policy("certificate-policy"),
    description: "What must hold for every certificate of this certificate authority, by the outline of RFC 3647.",
  },
  {
    path: paths.policy("certification-practice-statement"),
    description: "How this certificate authority checks, issues, renews and revokes certificates and keeps its keys.",
  },
  {
    path: paths.policy("subscriber-agreement"),
    description: "What the certificate authority and the subscribers of its certificates owe each other.",
  },
  {
    path: paths.status,
    description:
      "How fresh revocation lists and OCSP answers are, how fast revocations are published, and the uptime by month.",
  },
  {
    path: paths.apiDocs,
    description: "The documented JSON calls for programs: certificates, identification codes, orders and accounts.",
  },
  {
    path: paths.prepareCsr(),
    description: "Make a private key and a certificate signing request (CSR) with OpenSSL, keytool or in the browser.",
  },
  {
    path: paths.checkCsr,
    description:
      "Check a certificate signing request (CSR) before you order, and see the certificate that would come out.",
  },
  {
    path: paths.reportKey,
    description: "Report the private key of a certificate as compromised and have the certificate revoked at once.",
  },
  {
    path: paths.csrRules(),
    description: "Every rule about certificate signing requests (CSR), with its standard and how to satisfy it.",
  },
];

/** The addresses of public pages that are the same for everybody who has no session: they have no form but the choice of colours. */
export const STORED_PAGES: readonly string[] = [
  paths.publicRepository,
  paths.status,
  paths.policy("certificate-policy"),
  paths.policy("certification-practice-statement"),
  paths.policy("subscriber-agreement"),
  paths.apiDocs,
  paths.csrRules(),
];

/** The addresses of public pages that differ for visitors without a session in nothing but the token of their form. */
export const STORED_FORMS: readonly string[] = [paths.root, paths.login(), paths.register, paths.forgotPassword];

/** Returns the public page at this address, or null. Case and a final slash make no difference. */
export function findPublicPage(pathname: string): PublicPage | null {
  const path = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
  return PUBLIC_PAGES.find((page) => page.path === path || page.aliases?.includes(path)) ?? null;
}
