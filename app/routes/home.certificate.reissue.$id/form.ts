export const FORM = "reissue";
