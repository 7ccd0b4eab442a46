import { setImmediate as rest } from "node:timers/promises";

const ROWS_AT_ONCE = 1000;

/**
 * Deletes old rows in portions, so that requests are answered in between. Returns how many were deleted.
 *
 * @param deleteSome Deletes up to `limit` rows and returns how many.
 */
export async function inPortions(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let deleted = 0; ; await rest()) {
    const portion = await deleteSome(ROWS_AT_ONCE);
    deleted += portion;
    if (portion < ROWS_AT_ONCE) return deleted;
  }
}
