/** Stable codes of the rules in `checkCsr`. */
export type CsrRefusalCode =
  | "signature-algorithm"
  | "signature-invalid"
  | "key-algorithm"
  | "key-curve"
  | "key-point"
  | "key-size"
  | "key-exponent"
  | "key-small-factor"
  | "key-prime-modulus"
  | "key-close-primes"
  | "key-roca"
  | "subject-required"
  | "subject-repeated"
  | "subject-length"
  | "subject-country"
  | "subject-characters"
  | "subject-scripts"
  | "serial-number-characters"
  | "email-invalid"
  | "name-characters"
  | "name-scripts"
  | "dns-invalid"
  | "ip-invalid"
  | "rfc822-invalid"
  | "uri-invalid"
  | "ssid-invalid";

/** One broken rule. `message` names the rule and says what to do, for the person who made the CSR. */
export interface CsrRefusal {
  code: CsrRefusalCode;
  message: string;
}

/** Returns an array with the refusal when the rule is broken, otherwise an empty array. */
export const refuseIf = (broken: boolean, code: CsrRefusalCode, message: string): CsrRefusal[] =>
  broken ? [{ code, message }] : [];
