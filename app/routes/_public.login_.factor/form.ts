export const FORM = "login-factor";
