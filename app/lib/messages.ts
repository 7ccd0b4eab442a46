/** The specification's generic messages, word for word (GEN-02). */
export const messages = {
  required: "This field is required.",
  invalid: "Invalid value.",
  markup: "Markup is not allowed.",
  outOfRange: "Entered value is not valid.",
  pattern: "Input value does not match pattern.",
  whitespace: "This field does not allow spaces.",
  collection: "The value is not part of the collection.",
  notEqual: "Entered values do not match.",
  email: "Email address is not valid.",
  telephone: "Telephone number is not valid.",
  vatMissing: "Please insert a VAT number.",
  vatInvalid: "The specified VAT number is not valid.",
} as const;
