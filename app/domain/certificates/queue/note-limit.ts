/** The maximum length of a note or reason that staff record, in characters. */
export const NOTE_LIMIT = 500;
