import { paths, segment, withQuery } from "./paths";

/** The URLs that only the lists and pages of certificates and codes link. They stand apart from `rarePaths`, which pages load whose scripts have no room. */
export const certificatePaths = {
  /** The partners of a certificate, and what they have answered. */
  partners: (id: number) => `/home/certificate-partners/${segment(id)}`,
  /** Orders a certificate again with another host or usage. */
  correct: (id: number) => `/home/certificate/correct/${segment(id)}`,
  /** The form on the page of a certificate that cancels its pending order, for the page of the order, to which it leads back. */
  cancelOrder: (id: number) => `${paths.certificateDetails(id)}?from=order#cancel-order`,
  /** The archive with what partners find on their page. */
  partnerKit: (id: number) => `/home/certificate-partners/${segment(id)}/kit`,
  /** The certificates of an entity of the code register. `from` is the search or page to which Back leads. */
  entity: (codeId: number, from?: string) => withQuery(`/home/entity-certificates/${segment(codeId)}`, { from }),
  /** The entities that the user follows. */
  followed: "/home/entity-certificates",
  /** A file of a certificate that is published at an entity. */
  entityFile: (codeId: number, certificate: number, form: string) =>
    withQuery(`/home/entity-certificates/${segment(codeId)}/file`, { certificate, form }),
  /** Renews several certificates of the list. It takes the query string of the list page. */
  renewals: "/home/certificates/renewals",
} as const;
