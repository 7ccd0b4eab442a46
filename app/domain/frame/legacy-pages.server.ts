import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";

/** The address of the framed page with the sales orders of former times (SAL-06), or null when there is none. */
export function legacySalesOrders(): string | null {
  const { salesOrdersPath } = getConfig().partner;
  return salesOrdersPath === undefined ? null : paths.frame("oscar", salesOrdersPath.slice(1));
}
