/** An id out of a URL; anything that is none becomes 0, which no row has. */
export const readId = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : 0);
