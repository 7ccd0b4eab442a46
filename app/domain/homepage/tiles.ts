import { may, type RightsHolder, type Task } from "~/domain/accounts/rights.policy";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { type CompanyRole } from "~db/tables";

/** The properties of a user that decide which tiles the dashboard shows. */
export interface TileViewer extends RightsHolder {
  isApplicant: boolean;
  /** The role in the company in which the user works. */
  role: CompanyRole;
  /** The number of the user's own codes. */
  codeCount: number;
}

export const SECTIONS = ["ID Codes", "Certificates", "Administration"] as const;

interface TileEntry {
  section: (typeof SECTIONS)[number];
  title: string;
  text: string;
  /** The page that the tile opens. A tile without a page is not shown. */
  page: string | null;
  isFor: (viewer: TileViewer) => boolean;
  /** What the tile says instead to members whose role does not order. */
  withoutOrders?: (viewer: TileViewer) => { title: string; text: string };
}

const applicants = (viewer: TileViewer) => viewer.isApplicant;
const staffWho = (task: Task) => (viewer: TileViewer) => may(viewer, task);
const staffOnly = (viewer: TileViewer) => may(viewer, "see-customers") && !viewer.isApplicant;

/** The tiles of the dashboard and whom they are for (DSH-01). The last ones open pages that the specification does not name. */
export const TILES = [
  {
    section: "ID Codes",
    title: "Order & Manage Your ID Codes",
    text: "Buy codes, register entities and sub-entities.",
    page: paths.codes,
    isFor: applicants,
    withoutOrders: () => ({ title: "Your ID Codes", text: "The ID codes and orders of your company." }),
  },
  {
    section: "ID Codes",
    title: "Search The ID Code Register",
    text: "Find registered companies and entities.",
    page: paths.searchCodes,
    isFor: (viewer) => may(viewer, "see-customers") || viewer.codeCount > 0,
  },
  {
    section: "ID Codes",
    title: "View ID Codes",
    text: "The codes of all customers.",
    page: paths.codes,
    isFor: staffOnly,
  },
  {
    section: "ID Codes",
    title: "View Sales Orders",
    text: "Orders, invoices and payments.",
    page: paths.salesOrders,
    isFor: staffWho("see-sales-orders"),
  },
  {
    section: "Certificates",
    title: "Order & Manage Your Certificates",
    text: "Buy, download, renew and revoke certificates.",
    page: paths.certificates,
    isFor: applicants,
    withoutOrders: (viewer) => ({
      title: "Your Certificates",
      text: mayAsMember(viewer, "prepare-renewals")
        ? "Download certificates, and prepare their renewal."
        : "The certificates of your company, and when they end.",
    }),
  },
  {
    section: "Certificates",
    title: "View Certificates",
    text: "The certificates of all customers.",
    page: paths.certificates,
    isFor: staffOnly,
  },
  {
    section: "Administration",
    title: "Manage Secure",
    text: "The banner of the login screen.",
    page: staffPaths.manage,
    isFor: staffWho("see-settings"),
  },
  {
    section: "Administration",
    title: "Overview",
    text: "What waits for staff, and the figures of the year.",
    page: staffPaths.overview,
    isFor: staffWho("see-overview"),
  },
  {
    section: "Administration",
    title: "Certificate queue",
    text: "Check identities, approve or reject orders.",
    page: paths.certificateQueue,
    isFor: staffWho("see-queue"),
  },
  {
    section: "Administration",
    title: "Companies",
    text: "The customers, their members and what they own.",
    page: paths.companies,
    isFor: staffWho("see-companies"),
  },
  {
    section: "Administration",
    title: "Users",
    text: "Find accounts, enable and disable them, grant rights.",
    page: paths.users,
    isFor: staffWho("see-users"),
  },
  {
    section: "Administration",
    title: "Promotion codes",
    text: "Create, find and withdraw codes for discounts.",
    page: staffPaths.promotionCodes,
    isFor: staffWho("see-promotion-codes"),
  },
  {
    section: "Administration",
    title: "Audit trail",
    text: "Who changed what, and when.",
    page: staffPaths.auditTrail,
    isFor: staffWho("see-audit-trail"),
  },
  {
    section: "Administration",
    title: "Security events",
    text: "Logins, refusals, locks and rights.",
    page: staffPaths.securityEvents,
    isFor: staffWho("see-security-events"),
  },
  {
    section: "Administration",
    title: "Jobs",
    text: "What the portal does by itself, and how it went.",
    page: staffPaths.jobs,
    isFor: staffWho("see-jobs"),
  },
  {
    section: "Administration",
    title: "Email",
    text: "Messages that wait or fail, and what all messages say.",
    page: staffPaths.mail,
    isFor: staffWho("see-mail"),
  },
] as const satisfies readonly TileEntry[];

export type TileTitle = (typeof TILES)[number]["title"];

export interface VisibleTile {
  /** The title of the tile in `TILES`. */
  tile: TileTitle;
  title: string;
  text: string;
  page: string;
}

/** Returns the tiles of one section for this user, in order. */
export const tilesOf = (section: TileEntry["section"], viewer: TileViewer): VisibleTile[] =>
  TILES.flatMap(({ isFor, page, withoutOrders, ...tile }: TileEntry & { title: TileTitle }) => {
    if (tile.section !== section || page === null || !isFor(viewer)) return [];
    const said = mayAsMember(viewer, "place-orders") ? undefined : withoutOrders?.(viewer);
    const { title, text } = said ?? tile;
    return [{ tile: tile.title, title, text, page }];
  });
