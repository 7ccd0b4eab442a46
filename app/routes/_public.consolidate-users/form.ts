export const FORM = "consolidate-users";
