/** The required fields of 'Prepare a CSR'. */
export const PLAIN = {
  commonName: "oftp.example.com",
  organisation: "Example Parts Ltd",
  country: "GB",
  keySize: "2048",
};

/** All fields of 'Prepare a CSR'. */
export const COMPLETE = {
  ...PLAIN,
  organisationUnit: "EDI",
  city: "Coventry",
  state: "West Midlands",
  email: "edi@example.com",
  oftpid: "O0013000123ACME-1",
  dnsNames: "a.example.com\nb.example.com, *.example.org",
  ipAddresses: "192.0.2.1 2001:db8::1",
};
