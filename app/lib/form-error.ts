/** The name under which the server reports what is wrong with a form as a whole. */
export const FORM_ERROR = "form";
