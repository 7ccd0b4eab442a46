/** The unsigned, big-endian integer that the bytes are. */
export const bigIntOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);

/** A positive integer as unsigned, big-endian bytes. */
export function bytesOfInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}
