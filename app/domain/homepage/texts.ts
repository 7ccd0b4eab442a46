export const ADDRESS_LIMIT = 8000;
export const TOOLTIP_LIMIT = 500;
/** In pixels (PUB-03). */
export const BANNER_SIZE = { width: 450, height: 200 } as const;
export const ADDRESS_MESSAGE = "Valid URL starting with 'http://' or 'https://' is required.";
export const SETTINGS_SAVED = "Settings successfully updated.";
export const SETTINGS_NOT_SAVED = "Settings could not be saved.";
