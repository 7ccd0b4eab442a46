/** The maximum length of a note or reason that staff record, in characters. */
export const NOTE_LIMIT = 500;

/** The maximum length of a comment about an order and of evidence for a check, in characters. */
export const COMMENT_LIMIT = 2000;

/** The maximum length of the reference of evidence, in characters. */
export const REFERENCE_LIMIT = 500;
