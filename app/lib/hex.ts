/** `A1B2C3` → `A1:B2:C3`, the form in which tools show serial numbers, thumbprints and fingerprints. */
export const colonHex = (hex: string): string => hex.replace(/..(?=.)/g, "$&:");
