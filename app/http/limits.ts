const KB = 1024;

/** The largest body that is accepted at all, in bytes. */
export const BODY_LIMIT = 8 * KB * KB;

/** The limits of one form. Nobody types more than this. */
export const FORM_LIMITS = {
  /** The size of an ordinary form in bytes. Pages that take files or long pasted texts set their own limit. */
  bytes: 256 * KB,
  fields: 200,
  /** The number of characters of a text from which markup is removed. */
  text: 10_000,
  /** The number of `<` in all texts of a form together. The time to remove markup grows with the square of this number. */
  brackets: 200,
} as const;
