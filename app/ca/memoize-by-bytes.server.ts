/**
 * Returns a function that caches its last `limit` results. `compute` must depend on nothing but the bytes. Most certificates of a CA
 * contain the same bytes in most parts, and parsing them is expensive. Callers must not change a result, because others receive the same
 * one.
 */
export function memoizeByBytes<T>(limit: number, compute: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const results = new Map<string, T>();
  return (bytes) => {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(bytes);
    const [oldest] = results.keys();
    if (results.size >= limit && oldest !== undefined) results.delete(oldest);
    results.set(key, result);
    return result;
  };
}
