import { baselineRequirements, type RequestRule, type RequestRules, rfc } from "./rule";

const SP_800_131A = { text: "NIST SP 800-131A §9", url: "https://doi.org/10.6028/NIST.SP.800-131Ar2" };

/** The sentence about a CSR that cannot be read says what to do. */
const readingRule = (
  title: string,
  requirement: string,
  standard: RequestRule["standard"],
  section = "4.1.2",
): RequestRule => ({ title, requirement, advice: "", section, standard });

/** Rules about the text or file that should be a CSR. A CSR that breaks one of them cannot be read. */
export const READING_RULES = {
  "csr-missing": readingRule(
    "Missing CSR",
    "There is a certificate signing request (CSR), pasted as text or in a file.",
    rfc(2986, "1"),
  ),
  "csr-size": readingRule("Size of the CSR", "The text or file has at most 64 KB.", rfc(2986, "4")),
  "csr-private-key": readingRule(
    "Private keys",
    "The text or file contains no private key. Only the CSR leaves your system.",
    baselineRequirements("6.1.2"),
  ),
  "csr-encoding": readingRule(
    "Encoding of the CSR",
    "The text or file is one whole CSR: as PEM, as base64 of the DER, or as DER.",
    rfc(7468, "7"),
  ),
  "csr-structure": readingRule(
    "Structure of the CSR",
    "The CSR has the structure of PKCS #10 in DER, without anything after it, and each part of it occurs once.",
    rfc(2986, "4.2"),
  ),
  "csr-ssid": readingRule(
    "One OFTP ID",
    "The serial number of the subject and each alternative name that starts with oftp:// are the same OFTP ID (SSID).",
    rfc(5024, "5.4"),
    "3.1.1",
  ),
} satisfies RequestRules;

/** Rules about the signature of a CSR, which proves that whoever made it has the private key. */
export const SIGNATURE_RULES = {
  "signature-algorithm": {
    title: "Hash of the CSR's signature",
    requirement: "The CSR is signed with SHA-256, SHA-384 or SHA-512.",
    advice: "Create the CSR again with SHA-256, SHA-384 or SHA-512.",
    section: "3.2.1",
    standard: SP_800_131A,
  },
  "signature-invalid": {
    title: "Signature of the CSR",
    requirement: "The signature of the CSR matches the public key in it, so that it proves who has the private key.",
    advice: "Create the CSR again with your private key.",
    section: "3.2.1",
    standard: rfc(2986, "3"),
  },
} satisfies RequestRules;
