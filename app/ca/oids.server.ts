/** Object identifiers that this layer writes or understands, with their names in the standards. */
export const OID = {
  // X.520 attribute types, RFC 5280 appendix A.1; emailAddress is PKCS #9
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  countryName: "2.5.4.6",
  localityName: "2.5.4.7",
  stateOrProvinceName: "2.5.4.8",
  organizationName: "2.5.4.10",
  organizationalUnitName: "2.5.4.11",
  emailAddress: "1.2.840.113549.1.9.1",

  // content types, RFC 5652 §4 and §5.1
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",

  // certificate and CRL extensions, RFC 5280 §4.2 and §5.2
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  cRLNumber: "2.5.29.20",
  reasonCode: "2.5.29.21",
  invalidityDate: "2.5.29.24",
  deltaCRLIndicator: "2.5.29.27",
  nameConstraints: "2.5.29.30",
  cRLDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  authorityKeyIdentifier: "2.5.29.35",
  extKeyUsage: "2.5.29.37",
  freshestCRL: "2.5.29.46",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
  ocspNoCheck: "1.3.6.1.5.5.7.48.1.5",
  accessMethodOcsp: "1.3.6.1.5.5.7.48.1",
  accessMethodCaIssuers: "1.3.6.1.5.5.7.48.2",
  qualifierCps: "1.3.6.1.5.5.7.2.1",

  // OCSP, RFC 6960 §4
  ocspBasic: "1.3.6.1.5.5.7.48.1.1",
  ocspNonce: "1.3.6.1.5.5.7.48.1.2",

  // extensions requested in a CSR: PKCS #9, and the older OID of Microsoft's tools
  extensionRequest: "1.2.840.113549.1.9.14",
  microsoftExtensionRequest: "1.3.6.1.4.1.311.2.1.14",

  // keys and signatures, RFC 8017, RFC 5480, RFC 5758, RFC 8410
  rsaEncryption: "1.2.840.113549.1.1.1",
  rsassaPss: "1.2.840.113549.1.1.10",
  sha1: "1.3.14.3.2.26",
  mgf1: "1.2.840.113549.1.1.8",
  ecPublicKey: "1.2.840.10045.2.1",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",

  // password-based encryption, RFC 8018
  pbes2: "1.2.840.113549.1.5.13",
  pbkdf2: "1.2.840.113549.1.5.12",
  hmacWithSha256: "1.2.840.113549.2.9",
  aes256Cbc: "2.16.840.1.101.3.4.1.42",
} as const;
