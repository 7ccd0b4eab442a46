/** The help texts of fields, by the names under which the specification lists them (A §3, B §5); those of the order steps are in `order-help-texts.ts`. */
export const HELP = {
  vat: "The number under which the company is registered for value added tax, with the prefix of its country: two letters, for Greece EL, for Northern Ireland XI, for Switzerland CHE. We check numbers of the EU and the UK with the authorities.",
  codeVat:
    "The number under which the entity is registered for value added tax, with the prefix of its country. It is kept as it is typed and not checked with the authorities.",
  tax: "The number that the tax office uses for the company, where it has one beside the VAT number.",
  companyRegistration: "The number under which the company is entered in its country's register of companies.",
  shortName: "The name by which partners know the entity in short.",
  tradeName: "The name under which the entity does business, where it is not the legal one.",
  dunsNumber: "The D-U-N-S number: nine digits by which Dun & Bradstreet identifies the entity.",
  directParentId: "The OSCAR code, four characters, of the entity that owns this one.",
  domesticUltimateParentId: "The highest company of the group in the entity's own country.",
  globalUltimateParentId: "The highest company of the whole group, in whichever country.",
  subCode: "Any 2 alphanumeric characters (numeric recommended).",
  phoneNumber: "In international format, for example +44 20 7946 0123",
  /** The ends of 'The authentication contact must …'. */
  authContactInfo: [
    { criterion: "other-person", text: "be someone other than you, the creator of the order," },
    { criterion: null, text: "be employed by the organisation that the certificate is for," },
    { criterion: null, text: "be able to authorise the order," },
    { criterion: "company-email", text: "have a company e-mail address, not one of a free e-mail provider," },
    { criterion: "own-name", text: "have it in their own name, not a shared mailbox such as info@ or sales@." },
  ],
} as const;
