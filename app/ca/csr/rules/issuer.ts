import { type RequestRules, rfc } from "./rule";

/** Rules about what the issuing CA may certify. They hold only while the certificate of that CA limits it. */
export const ISSUER_RULES = {
  "issuer-names": {
    title: "Names of the issuing CA",
    requirement:
      "Every name of the certificate is one that the issuing CA may certify. The certificate repository shows the limits of each CA.",
    advice: "Create the CSR again with names that this CA may certify.",
    section: "7.1",
    standard: rfc(5280, "4.2.1.10"),
  },
  "issuer-usage": {
    title: "Purposes of the issuing CA",
    requirement:
      "The certificate is for purposes for which the issuing CA may issue certificates. The certificate repository shows the limits of each CA.",
    advice: "Choose other usage attributes.",
    section: "7.1",
    standard: rfc(5280, "4.2.1.12"),
  },
} satisfies RequestRules;
