import { getConfig } from "~/lib/config.server";
import { serverPaths } from "~/lib/server-paths.server";

/** Returns the address of the framed page with the former sales orders (SAL-06), or null when none is configured. */
export function legacySalesOrders(): string | null {
  const { salesOrdersPath } = getConfig().partner;
  return salesOrdersPath === undefined ? null : serverPaths.frame("oscar", salesOrdersPath.slice(1));
}
