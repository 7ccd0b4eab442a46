/**
 * The help texts of fields, by the names in the specification (GEN-06). Those of single pages are in other files, so that not every page
 * loads them.
 */
export const HELP = {
  vat: "The number under which the company is registered for value added tax, with the prefix of its country: two letters, for Greece EL, for Northern Ireland XI, for Switzerland CHE. We check numbers of the EU and the UK with the authorities.",
  tax: "The number that the tax office uses for the company, if it has one besides the VAT number.",
  companyRegistration: "The number under which the company is entered in its country's register of companies.",
  phoneNumber: "In international format, for example +44 20 7946 0123",
} as const;
