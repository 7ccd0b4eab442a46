/** What is looked up while somebody types waits for a pause of so many milliseconds. */
export const TYPING_PAUSE_MS = 400;
