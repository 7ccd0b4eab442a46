import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { getDb } from "~db/connection.server";
import { countCodesOf } from "~db/repositories/codes.server";
import { countPendingCertificates } from "~db/repositories/figures.server";
import { SECTIONS, tilesOf, type TileTitle, type VisibleTile, type TileViewer } from "./tiles";

interface Count {
  count: number;
  countLabel: string;
}

export interface Dashboard {
  sections: { title: (typeof SECTIONS)[number]; tiles: (VisibleTile & Partial<Count>)[] }[];
  codeCount: number;
}

interface DashboardFigures {
  /** The number of the user's certificates that can be used now. */
  activeCertificates: number;
  /** The number of orders that wait for the identity checks; null for users who may not open the queue. */
  pendingOrders: number | null;
}

const countsOf = ({ activeCertificates, pendingOrders }: DashboardFigures): Partial<Record<TileTitle, Count>> => ({
  "Order & Manage Your Certificates": { count: activeCertificates, countLabel: "active" },
  "Certificate queue": {
    count: pendingOrders ?? 0,
    countLabel: pendingOrders === 1 ? "pending order" : "pending orders",
  },
});

/** Returns the data of the user's dashboard: the tiles for the user's rights and the company's number of codes, with their counts. */
export async function loadDashboard(
  user: Omit<TileViewer, "codeCount"> & { companyId: number },
  now = new Date(),
): Promise<Dashboard> {
  const [figures, codeCount] = await Promise.all([loadFigures(user, now), countCodesOf(getDb(), user.companyId)]);
  const counts = countsOf(figures);
  const sections = SECTIONS.map((title) => ({
    title,
    tiles: tilesOf(title, { ...user, codeCount }).map((tile) => ({ ...tile, ...counts[tile.tile] })),
  }));
  return { sections, codeCount };
}

async function loadFigures(user: RightsHolder & { companyId: number }, now: Date): Promise<DashboardFigures> {
  const db = getDb();
  const usable = db
    .selectFrom("certificates")
    .where("companyId", "=", user.companyId)
    .where("status", "in", ["Issued", "Downloaded"])
    .where("expiryDate", ">", now.toISOString());
  const [active, pending] = await Promise.all([
    usable.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
    may(user, "see-queue") ? countPendingCertificates(db) : null,
  ]);
  return {
    activeCertificates: active.count,
    pendingOrders: pending,
  };
}
