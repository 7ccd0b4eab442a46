import { LARGEST_ID, listParams, readNumber, readOneOf, type ListParams } from "~/lib/list-params";

/** The list's columns that can be sorted, by the specification's names. */
export const CERTIFICATE_SORTS = [
  "id",
  "commonName",
  "certificateStatus",
  "orderType",
  "certificateRequestDate",
  "orderId",
  "certificateStartDate",
  "certificateExpiryDate",
  "revocationDate",
] as const;
export type CertificateSort = (typeof CERTIFICATE_SORTS)[number];

export const EXPIRY_DAYS = [30, 60, 90] as const;

export interface CertificateListParams extends ListParams<CertificateSort> {
  /** Only certificates that end within so many days. */
  expires: number | null;
  /** The row that was chosen when the page was left for details or a download. */
  selected: number | null;
}

const base = listParams(CERTIFICATE_SORTS, { key: "id", direction: "desc" });

/** Reads the list's place from a URL; never fails. */
export const readListParams = (query: URLSearchParams): CertificateListParams => ({
  ...base.read(query),
  expires: readOneOf(query.get("expires"), EXPIRY_DAYS),
  selected: readNumber(query.get("selected"), LARGEST_ID),
});

/** The list's place as a query; what is at its default is left out. */
export function listPlace(params: CertificateListParams): URLSearchParams {
  const query = base.write(params);
  if (params.expires !== null) query.set("expires", String(params.expires));
  if (params.selected !== null) query.set("selected", String(params.selected));
  return query;
}

/** `path` with the list's place behind it, so that the way back from details and downloads leads to the same page and row. */
export function withListPlace(
  path: string,
  params: CertificateListParams,
  change: Partial<CertificateListParams> = {},
): string {
  const query = listPlace({ ...params, ...change }).toString();
  return query ? `${path}?${query}` : path;
}
