/** Pages, with the documented code of what fails while they are loaded (B §8); the first that fits counts. */
const PAGES: readonly (readonly [path: RegExp, code: string])[] = [
  [/^\/home\/codes\/code-details\/audit-log/i, "OCA0K01E"],
  [/^\/home\/codes\/code-details/i, "OCA0A01E"],
  [/^\/home\/codes/i, "OCA0B01E"],
  [/^\/home\/search-codes/i, "OCA0J01E"],
  [/^\/home\/(code|certificate)\/(purchase|renew)\/contact-details/i, "IMP0D01E"],
  [/^\/home\/(code|certificate)\/(purchase|renew)\/invoice-address/i, "PIA0301E"],
  [/^\/home\/code\/purchase\/order/i, "OCA0N01E"],
  [/^\/home\/certificate\/(purchase|renew)\/order/i, "IMP0B01E"],
  [/^\/home\/certificate\/revoke/i, "OCA0N01E"],
  [/^\/home\/certificate-details/i, "OCA0701E"],
  [/^\/home\/certificate-download/i, "OCA0801E"],
  [/^\/home\/certificates/i, "OCA0901E"],
  [/^\/home\/sale-orders\/details/i, "OCA0M02E"],
  [/^\/home\/sale-orders/i, "OCA0L01E"],
  [/^\/home\/dashboard/i, "IMP0901E"],
];

/** The documented code of an unforeseen error at this address; undefined where none is documented, and for forms, which have codes of their own. */
export function loadErrorCode({ method, url }: { method: string; url: string }): string | undefined {
  if (method !== "GET") return undefined;
  const { pathname } = new URL(url);
  return PAGES.find(([path]) => path.test(pathname))?.[1];
}
