import { DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";

export interface DashboardFigures {
  /** The user's certificates that can be used now. */
  activeCertificates: number;
  /** The user's certificates that end within 30 days, soonest first. */
  expiring: { id: number; commonName: string; expiryDate: string }[];
  /** For administrators: orders that wait for the identity checks. */
  pendingOrders: number | null;
}

/** What the dashboard counts for this user. */
export async function loadDashboard(
  user: { id: number; isAdmin: boolean },
  now = new Date(),
): Promise<DashboardFigures> {
  const db = getDb();
  const usable = db
    .selectFrom("certificates")
    .where("userId", "=", user.id)
    .where("status", "in", ["Issued", "Downloaded"])
    .where("expiryDate", ">", now.toISOString());
  const [active, expiring, pending] = await Promise.all([
    usable.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
    usable
      .select(["id", "commonName", "expiryDate"])
      .where("expiryDate", "<=", new Date(now.getTime() + 30 * DAY).toISOString())
      .orderBy("expiryDate")
      .limit(5)
      .execute(),
    user.isAdmin
      ? db
          .selectFrom("certificates")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .where("status", "=", "Pending")
          .executeTakeFirstOrThrow()
      : null,
  ]);
  return {
    activeCertificates: active.count,
    expiring: expiring.map((row) => ({ ...row, expiryDate: row.expiryDate ?? "" })),
    pendingOrders: pending?.count ?? null,
  };
}
