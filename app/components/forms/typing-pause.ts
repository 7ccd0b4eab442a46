/** Lookups while the user types wait for a pause of this many milliseconds. */
export const TYPING_PAUSE_MS = 400;
