export const FORM = "promotion-codes";
