/** The field name under which the server reports errors that concern the whole form. */
export const FORM_ERROR = "form";
