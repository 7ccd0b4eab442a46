import { rarePaths } from "~/lib/rare-paths";
import { accountPaths } from "./account-paths";
import { evidencePaths } from "./evidence-paths";
import { paths } from "./paths";
import { staffPaths } from "./staff-paths";

interface PrivateFile {
  address: RegExp;
  /** The name as in 'Download the …'. */
  name: string;
  /** The page with other files of this kind. */
  page: { to: string; label: string };
}

const CERTIFICATES = { to: paths.certificates, label: "Certificates" };

/** Addresses under /home that respond with a file and have no page of their own. */
const PRIVATE_FILES: readonly PrivateFile[] = [
  {
    address: /^\/home\/invoice\/[^/]+$/i,
    name: "invoice or credit note",
    page: { to: paths.dashboard, label: "Dashboard" },
  },
  { address: /^\/home\/certificate-file\/[^/]+$/i, name: "certificate", page: CERTIFICATES },
  { address: /^\/home\/certificate-csr\/[^/]+$/i, name: "certificate signing request", page: CERTIFICATES },
  { address: /^\/home\/certificates\/export\.csv$/i, name: "list of certificates", page: CERTIFICATES },
  { address: /^\/home\/certificates\/files\.zip$/i, name: "files of the certificates", page: CERTIFICATES },
  {
    address: /^\/home\/codes\/export\.csv$/i,
    name: "list of codes",
    page: { to: paths.codes, label: "Entity Registration" },
  },
  {
    address: /^\/home\/sale-orders\/export\.csv$/i,
    name: "sales orders",
    page: { to: paths.salesOrders, label: "Sales Orders" },
  },
  {
    address: /^\/home\/certificate-queue\/export\.csv$/i,
    name: "orders of the queue",
    page: { to: paths.certificateQueue, label: "Certificate queue" },
  },
  { address: /^\/home\/certificate-partners\/[^/]+\/kit$/i, name: "files for partners", page: CERTIFICATES },
  {
    address: /^\/home\/entity-certificates\/[^/]+\/file$/i,
    name: "certificate of an entity",
    page: { to: paths.searchCodes, label: "Code search" },
  },
  {
    address: /^\/home\/audit-trail\/file$/i,
    name: "audit trail",
    page: { to: staffPaths.auditTrail, label: "Audit trail" },
  },
  {
    address: /^\/home\/evidence-packs\/file$/i,
    name: "evidence pack",
    page: { to: evidencePaths.page(), label: "Evidence packs" },
  },
  {
    address: /^\/home\/security-events\/file$/i,
    name: "security events",
    page: { to: staffPaths.securityEvents, label: "Security events" },
  },
  {
    address: /^\/home\/personal-data\/file$/i,
    name: "file with your data",
    page: { to: accountPaths.personalData, label: "Your data" },
  },
  {
    address: /^\/home\/users\/[^/]+\/data\/file$/i,
    name: "file with the data about a person",
    page: { to: paths.users, label: "Users" },
  },
  {
    address: /^\/home\/users\/import\/(template|[^/]+\/report)$/i,
    name: "file about an import of accounts",
    page: { to: accountPaths.importUsers, label: "Import users" },
  },
  {
    address: /^\/home\/users\/[^/]+\/trail\/file$/i,
    name: "audit trail of an account",
    page: { to: paths.users, label: "Users" },
  },
  {
    address: /^\/home\/promotion-codes\/file\/[^/]+$/i,
    name: "promotion codes",
    page: { to: staffPaths.promotionCodes, label: "Promotion codes" },
  },
];

/** Addresses that only scripts or frames of a page request, and the page to open instead. */
const PARTS_OF_PAGES: readonly { address: RegExp; page: string }[] = [
  { address: /^(\/home\/mail\/templates\/[^/]+)\/html$/i, page: "$1" },
  { address: /^\/home\/certificate\/purchase\/promotion$/i, page: paths.certificates },
  { address: /^(\/home\/search)\/suggestions$/i, page: "$1" },
  { address: /^\/home\/frame-problem\/[^/]+\/[^/]+$/i, page: paths.dashboard },
];

/** Returns a path without its query string and final slashes. */
const plain = (address: string) => (address.split("?", 1)[0] ?? "").replace(/\/+$/, "");

/** Returns the private file at this path, whatever its query string, or null. */
export const findPrivateFile = (address: string): PrivateFile | null =>
  PRIVATE_FILES.find((file) => file.address.test(plain(address))) ?? null;

/** Returns the page to open for a user who requested this path: the path itself, unless it has no page. */
export function pageFor(address: string): string {
  if (findPrivateFile(address)) return rarePaths.privateFile(address);
  const part = PARTS_OF_PAGES.find((known) => known.address.test(plain(address)));
  return part ? plain(address).replace(part.address, part.page) : address;
}
