import { paths } from "./paths";

interface PrivateFile {
  address: RegExp;
  /** As in 'Download the …'. */
  name: string;
  /** Where others of its kind are. */
  page: { to: string; label: string };
}

const CERTIFICATES = { to: paths.certificates, label: "Certificates" };

/** Addresses under /home that answer with a file and have no page of their own. */
const PRIVATE_FILES: readonly PrivateFile[] = [
  {
    address: /^\/home\/invoice\/[^/]+$/i,
    name: "invoice or credit note",
    page: { to: paths.dashboard, label: "Dashboard" },
  },
  { address: /^\/home\/certificate-file\/[^/]+$/i, name: "certificate", page: CERTIFICATES },
  { address: /^\/home\/certificate-csr\/[^/]+$/i, name: "certificate signing request", page: CERTIFICATES },
  {
    address: /^\/home\/sale-orders\/export\.csv$/i,
    name: "sales orders",
    page: { to: paths.saleOrders, label: "Sales Orders" },
  },
  {
    address: /^\/home\/audit-trail\/file$/i,
    name: "audit trail",
    page: { to: paths.auditTrail, label: "Audit Trail" },
  },
  {
    address: /^\/home\/promotion-codes\/file\/[^/]+$/i,
    name: "promotion codes",
    page: { to: paths.promotionCodes, label: "Promotion Codes" },
  },
];

/** Addresses that answer a page's own questions, and the page to go to instead. */
const PARTS_OF_PAGES: readonly { address: RegExp; page: string }[] = [
  { address: /^(\/home\/mail\/templates\/[^/]+)\/html$/i, page: "$1" },
  { address: /^\/home\/certificate\/purchase\/promotion$/i, page: paths.certificates },
  { address: /^\/home\/frame-problem\/[^/]+\/[^/]+$/i, page: paths.dashboard },
];

/** A path without its query and the slashes at its end. */
const plain = (address: string) => (address.split("?", 1)[0] ?? "").replace(/\/+$/, "");

/** The private file at this path, whatever its query; null for everything else. */
export const findPrivateFile = (address: string): PrivateFile | null =>
  PRIVATE_FILES.find((file) => file.address.test(plain(address))) ?? null;

/** The page to show to somebody who asked for this path of the portal: itself, unless it has no page. */
export function pageFor(address: string): string {
  if (findPrivateFile(address)) return paths.privateFile(address);
  const part = PARTS_OF_PAGES.find((known) => known.address.test(plain(address)));
  return part ? plain(address).replace(part.address, part.page) : address;
}
