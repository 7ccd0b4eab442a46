import { baselineRequirements, type RequestRule, type RequestRules, rfc } from "./rule";

/** The accepted sizes of RSA moduli in bits. */
export const RSA_BITS = { min: 2048, max: 8192 };

/** The accepted elliptic curves. */
export const CURVES: readonly string[] = ["P-256", "P-384"];

const CABF = baselineRequirements("6.1.1.3");
const FIPS_186 = { text: "FIPS 186-5 §5.1", url: "https://doi.org/10.6028/NIST.FIPS.186-5" };
const SP_800_56A = { text: "NIST SP 800-56A §5.6.2.3.3", url: "https://doi.org/10.6028/NIST.SP.800-56Ar3" };
const SP_800_57 = { text: "NIST SP 800-57 part 1 §5.3", url: "https://doi.org/10.6028/NIST.SP.800-57pt1r5" };
const ROCA = { text: "CVE-2017-15361", url: "https://www.cve.org/CVERecord?id=CVE-2017-15361" };
const FERMAT = { text: "CVE-2022-26320", url: "https://www.cve.org/CVERecord?id=CVE-2022-26320" };
const FACTORS = { text: "Heninger et al., Mining Your Ps and Qs (2012)", url: "https://factorable.net/" };

const NEW_KEY = "Create a new key and a CSR with it.";

const keyRule = (
  title: string,
  requirement: string,
  standard: RequestRule["standard"],
  { advice = NEW_KEY, section = "6.1.6" } = {},
): RequestRule => ({ title, requirement, advice, section, standard });

/** Rules about the public key in a CSR. */
export const KEY_RULES = {
  "key-algorithm": keyRule("Type of the key", "The key has a type that this CA accepts.", rfc(3279, "2.3"), {
    advice: "Create a key of an accepted type and a CSR with it.",
    section: "6.1.5",
  }),
  "key-curve": keyRule(
    "Elliptic curve",
    `The curve of an EC key is ${CURVES.join(" or ")}, stated by name.`,
    rfc(5480, "2.1.1"),
    { section: "6.1.5" },
  ),
  "key-size": keyRule(
    "Size of the key",
    `An RSA key has ${RSA_BITS.min} to ${RSA_BITS.max} bits, in steps of 8.`,
    FIPS_186,
    { section: "6.1.5" },
  ),
  "key-point": keyRule("Point of the curve", "The public key of an EC key is a point of its curve.", SP_800_56A),
  "key-exponent": keyRule(
    "Public exponent",
    "The public exponent of an RSA key is odd, at least 65537 and below 2^64.",
    FIPS_186,
  ),
  "key-small-factor": keyRule("Small prime factors", "The modulus of an RSA key has no small prime factor.", CABF),
  "key-prime-modulus": keyRule(
    "Prime modulus",
    "The modulus of an RSA key is a product of primes and not a prime itself.",
    rfc(8017, "3.1"),
  ),
  "key-close-primes": keyRule(
    "Close primes",
    "The primes of an RSA key are far apart, so that Fermat's method does not find them.",
    FERMAT,
    { advice: "Use another tool to create a new key, and a CSR with it." },
  ),
  "key-roca": keyRule(
    "ROCA weakness",
    "An RSA key does not have the ROCA weakness of certain smart cards and TPMs.",
    ROCA,
    { advice: "Create a new key outside that device, and a CSR with it." },
  ),
  "key-listed": keyRule(
    "Known bad keys",
    "The key is on no list of keys whose private keys are known to others.",
    CABF,
  ),
  "key-blocked": keyRule("Blocked keys", "The key is not blocked because its private key was compromised.", CABF),
  "key-shared-factor": keyRule(
    "Shared prime factors",
    "An RSA key shares no prime factor with the key of another request.",
    FACTORS,
  ),
  "key-in-use": keyRule(
    "Keys of other subjects",
    "The key belongs to no certificate and to no order of another subject.",
    rfc(2986, "3"),
    { section: "3.1.5" },
  ),
  "key-of-authority": keyRule(
    "Keys of this CA",
    "The key is not that of a certificate authority or of an OCSP responder of this CA.",
    rfc(5280, "4.2.1.9"),
    { section: "6.1.7" },
  ),
  "key-of-another": keyRule("Keys of other subscribers", "The key belongs to nobody else.", rfc(2986, "3"), {
    advice: "",
    section: "3.1.5",
  }),
} satisfies RequestRules;

/** Rules about a CSR for a renewal or a replacement. The sentences about the CSR say what to do. */
export const SUCCESSOR_RULES = {
  "renewal-details": {
    title: "Details of a renewal",
    requirement:
      "The CSR for a renewal or a replacement has the common name, organisation, location, country and DNS names of the certificate that it follows, and its OFTP ID or none. A correction can have another common name and other DNS names.",
    advice: "",
    section: "3.3",
    standard: rfc(3647, "4.3.3"),
  },
  "renewal-key": keyRule(
    "New key of a renewal",
    "The key of a renewal or a replacement is new: no certificate and no order has it already.",
    SP_800_57,
    { advice: "", section: "3.3" },
  ),
  "renewal-key-type": keyRule(
    "Type of the new key",
    "The key of a renewal or a replacement has the type of the former one, because another type would change the key usage.",
    rfc(5280, "4.2.1.3"),
    { advice: "", section: "1.4.1" },
  ),
} satisfies RequestRules;
