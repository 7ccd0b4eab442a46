/**
 * A function of bytes that depends on nothing else, with its last `limit` results remembered: most certificates of a CA say most things
 * in the same bytes, and taking them apart is what costs. A result is handed out again and again: nobody may change it.
 */
export function remembered<T>(limit: number, compute: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
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
