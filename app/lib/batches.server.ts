/** The number of rows that are read at a time, in about 8 ms. Then other work gets its turn, which SQLite would not give it. */
const BATCH = 200;

/**
 * Yields the ids of all rows in ascending order, batch by batch.
 *
 * @param read Returns the first `limit` ids above `after`, in ascending order.
 */
export async function* idsInBatches(
  read: (window: { after: number; limit: number }) => Promise<number[]>,
): AsyncGenerator<number[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const ids = await read({ after, limit: BATCH });
    yield ids;
    isLast = ids.length < BATCH;
    after = ids.at(-1) ?? after;
  }
}
