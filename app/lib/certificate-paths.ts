/** The URLs that only the list of certificates links. They stand apart from `rarePaths`, which pages load whose scripts have no room. */
export const certificatePaths = {
  /** Renews several certificates of the list. It takes the query string of the list page. */
  renewals: "/home/certificates/renewals",
} as const;
