/** The labels of the order step's fields that differ from their names in words. */
export const ORDER_LABELS = {
  csr: "CSR",
  csrFile: "CSR file",
  oftpid: "OFTP ID",
  usage: "Certificate usage",
  promoCode: "Promotion code",
  termsAndConditionsAccepted: "Terms and conditions",
} as const;

/** The labels of the fields of the contact and the invoice address. */
export const ADDRESS_LABELS = {
  name: "Name",
  company: "Company",
  position: "Position",
  email: "Email",
  addressLine1: "Address line 1",
  addressLine2: "Address line 2",
  city: "City",
  postalCode: "Postal code",
  country: "Country",
  phoneNumber: "Phone number",
  vat: "VAT number",
} as const;
