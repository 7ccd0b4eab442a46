interface Identified {
  id: number;
}

/** Returns rows in the order of these ids. Ids without a row are left out. */
export function inOrderOf<Row extends Identified>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/**
 * Returns the rows of one page of a list. The ids of the page are found first, so that what the list shows is read for no other row.
 *
 * @param page The query for the ids, in the order of the list.
 * @param read Reads what the list shows of these rows, in any order.
 */
export async function readPage<Row extends Identified>(
  page: { execute: () => Promise<readonly Identified[]> },
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const ids = (await page.execute()).map(({ id }) => id);
  return ids.length === 0 ? [] : inOrderOf(ids, await read(ids));
}
