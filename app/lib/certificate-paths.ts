import { segment } from "./paths";

/** The URLs that only the list and the page of certificates link. They stand apart from `rarePaths`, which pages load whose scripts have no room. */
export const certificatePaths = {
  /** The partners of a certificate, and what they have answered. */
  partners: (id: number) => `/home/certificate-partners/${segment(id)}`,
  /** The archive with what partners find on their page. */
  partnerKit: (id: number) => `/home/certificate-partners/${segment(id)}/kit`,
  /** Renews several certificates of the list. It takes the query string of the list page. */
  renewals: "/home/certificates/renewals",
} as const;
