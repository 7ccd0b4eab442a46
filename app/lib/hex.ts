/** Formats `A1B2C3` as `A1:B2:C3`, as tools show serial numbers, thumbprints and fingerprints. */
export const colonHex = (hex: string): string => hex.replace(/..(?=.)/g, "$&:");
