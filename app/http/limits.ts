const KB = 1024;

/** The largest body that is accepted at all, in bytes. */
export const BODY_LIMIT = 8 * KB * KB;

/** What one form may be. Anything beyond is no person's typing. */
export const FORM_LIMITS = {
  /** Bytes of an ordinary form; a page that takes files or long pastes asks for more. */
  bytes: 256 * KB,
  fields: 200,
  /** Characters of a text that still has its markup taken out. */
  text: 10_000,
  /** `<` in all texts of a form together: taking markup out costs their square. */
  brackets: 200,
} as const;
