/** Reads an id from a URL. Anything that is not an id becomes 0, which no row has. */
export const readId = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : 0);
