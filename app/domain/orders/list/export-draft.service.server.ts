import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { notFound } from "~/lib/errors";
import { demandOrders, exportSalesOrders } from "./export.service.server";

/** A file that was asked for: the orders that will be in it. It is made when it is read. */
const exportFile: Wizard<{ ids: number[] }> = {
  kind: "sales-orders-file",
  schema: z.object({ ids: z.array(z.number().int()) }),
  lifetime: 3_600_000,
};

/** Prepares a file of these orders for an hour, for this user only. Out: its name. Throws a PortalError when one of them does not exist. */
export async function prepareExport({ id }: SessionUser, ids: readonly number[]): Promise<string> {
  const rows = await demandOrders([...new Set(ids)]);
  return `sales-orders-${await startDraft(exportFile, id, { ids: rows.map((row) => row.id) })}.csv`;
}

/** Reads a file that this user prepared (`exportSalesOrders`). Throws not found, also for a file that is over or somebody else's. */
export async function openExport({ id, actor }: SessionUser, fileName: string): Promise<AsyncIterable<Uint8Array>> {
  const draftId = /^sales-orders-([\w-]{22})\.csv$/.exec(fileName)?.[1] ?? null;
  const draft = await loadDraft(exportFile, id, draftId);
  if (!draft) throw notFound();
  return exportSalesOrders(draft.data, actor);
}
