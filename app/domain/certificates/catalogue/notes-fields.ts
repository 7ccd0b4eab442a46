export const NOTES_FORM = "notes";

/** The id of the card, to which the address leads after a change. */
export const NOTES_PLACE = "where-used";

/** The fields of the form with their labels. */
export const NOTES_LABELS = { notes: "Notes", tags: "Tags" } as const;

/** The maximum length of the notes about a certificate, in characters. */
export const NOTES_LIMIT = 2000;

/** How many tags a certificate can have, and the maximum length of each, in characters. */
export const MOST_TAGS = 10;
export const TAG_LIMIT = 30;
