import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { notFound } from "~/lib/errors";
import { demandOrders, exportSalesOrders } from "./export.service.server";

/** A draft with the ids of the orders for an export file. The file is made when it is downloaded. */
const exportFile: Wizard<{ ids: number[] }> = {
  kind: "sales-orders-file",
  schema: z.object({ ids: z.array(z.number().int()) }),
  lifetime: 3_600_000,
};

/**
 * Prepares an export file of these orders, which only this user can download, for an hour. Returns the name of the file. Throws a
 * PortalError when one of the orders does not exist.
 */
export async function prepareExport({ id }: SessionUser, ids: readonly number[]): Promise<string> {
  const rows = await demandOrders([...new Set(ids)]);
  return `sales-orders-${await startDraft(exportFile, id, { ids: rows.map((row) => row.id) })}.csv`;
}

/**
 * Opens a file that this user prepared (`exportSalesOrders`). Throws a PortalError (404) when there is no such file, when it has expired,
 * and when another user prepared it.
 */
export async function openExport({ id, actor }: SessionUser, fileName: string): Promise<AsyncIterable<Uint8Array>> {
  const draftId = /^sales-orders-([\w-]{22})\.csv$/.exec(fileName)?.[1] ?? null;
  const draft = await loadDraft(exportFile, id, draftId);
  if (!draft) throw notFound();
  return exportSalesOrders(draft.data, actor);
}
