export const REASON_LIMIT = 500;
