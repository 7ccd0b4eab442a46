/** The labels of the order step's fields that differ from their names in words. */
export const ORDER_LABELS = {
  host: "Host name",
  csr: "CSR",
  csrFile: "CSR file",
  oftpid: "OFTP ID",
  usage: "Certificate usage",
  promoCode: "Promotion code",
  termsAndConditionsAccepted: "Terms and conditions",
} as const;
