/** Reads the bytes as an unsigned, big-endian integer. */
export const bigIntOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);

/** Returns a positive integer as unsigned, big-endian bytes. */
export function bytesOfInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}
