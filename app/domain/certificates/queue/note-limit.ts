/** The maximum length of a note or reason that staff record, in characters. */
export const NOTE_LIMIT = 500;

/** The maximum length of a comment about an order, in characters. */
export const COMMENT_LIMIT = 2000;
