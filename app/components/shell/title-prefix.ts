/** The prefix of the title of every page that shows an error summary. */
export const ERROR_PREFIX = "Error: ";
