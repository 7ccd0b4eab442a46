/** OFTP ID (SSID) in upper case: O, four digits, then letters, digits, spaces and hyphens (PUR-04). */
export const OFTP_ID_PATTERN = /^O\d{4}[A-Z\d -]*$/;

export const OFTP_ID_LENGTH = { least: 9, most: 25 } as const;

export const isOftpIdLength = ({ length }: string): boolean =>
  length >= OFTP_ID_LENGTH.least && length <= OFTP_ID_LENGTH.most;

/** Returns whether the text has the format of an OFTP ID, in upper or lower case. */
export const isOftpId = (text: string): boolean => isOftpIdLength(text) && OFTP_ID_PATTERN.test(text.toUpperCase());

/** The allowed characters, for messages. */
export const OFTP_ID_CHARACTERS = "O, four digits, then letters, digits, spaces and hyphens";

/** The format, for messages. */
export const OFTP_ID_FORM = `${OFTP_ID_LENGTH.least} to ${OFTP_ID_LENGTH.most} characters: ${OFTP_ID_CHARACTERS}`;
