import { type NameClass } from "~/lib/name-classes";

/** A rule of requests for certificates: what pages, calls and documents say of it beside the sentence about one CSR. */
export interface RequestRule {
  title: string;
  /** How to satisfy the rule. Empty when the sentence about the CSR says so already. */
  advice: string;
  /** The section of the certification practice statement that has the rule. */
  section: string;
  /** The standard behind the rule. */
  standard: { text: string; url: string };
}

const rfc = (number: number, section: string) => ({
  text: `RFC ${number} §${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

const wholeRfc = (number: number) => ({
  text: `RFC ${number}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}`,
});

const CABF = {
  text: "CA/Browser Forum Baseline Requirements §6.1.1.3",
  url: "https://cabforum.org/working-groups/server/baseline-requirements/requirements/",
};
const INTERNAL_NAMES = { ...CABF, text: "CA/Browser Forum Baseline Requirements §4.2.2" };
const FIPS_186 = { text: "FIPS 186-5 §5.1", url: "https://doi.org/10.6028/NIST.FIPS.186-5" };
const SP_800_56A = { text: "NIST SP 800-56A §5.6.2.3.3", url: "https://doi.org/10.6028/NIST.SP.800-56Ar3" };
const SP_800_131A = { text: "NIST SP 800-131A §9", url: "https://doi.org/10.6028/NIST.SP.800-131Ar2" };
const ROCA = { text: "CVE-2017-15361", url: "https://www.cve.org/CVERecord?id=CVE-2017-15361" };
const FERMAT = { text: "CVE-2022-26320", url: "https://www.cve.org/CVERecord?id=CVE-2022-26320" };
const FACTORS = { text: "Heninger et al., Mining Your Ps and Qs (2012)", url: "https://factorable.net/" };
const ISO_3166 = { text: "ISO 3166-1", url: "https://www.iso.org/iso-3166-country-codes.html" };
const UTS_39 = {
  text: "Unicode UTS #39 §5.2",
  url: "https://www.unicode.org/reports/tr39/#Restriction_Level_Detection",
};
const UTS_39_CHARACTERS = {
  text: "Unicode UTS #39 §3.1",
  url: "https://www.unicode.org/reports/tr39/#General_Security_Profile",
};
const SUFFIXES = { text: "Public Suffix List", url: "https://publicsuffix.org/list/" };
const UPPER_BOUNDS = { text: "RFC 5280 appendix A.1", url: "https://www.rfc-editor.org/rfc/rfc5280#appendix-A.1" };

const NEW_KEY = "Create a new key and a CSR with it.";
const OWN_ADDRESS = "Create the CSR again with the host's DNS name, or with its public address.";
const VALID_NAME = "Create the CSR again with a valid one or without it.";

const keyRule = (title: string, standard: RequestRule["standard"], advice = NEW_KEY): RequestRule => ({
  title,
  advice,
  section: "6.1.6",
  standard,
});

const KEYS = {
  "key-algorithm": {
    title: "Type of the key",
    advice: "Create a key of an accepted type and a CSR with it.",
    section: "6.1.5",
    standard: rfc(3279, "2.3"),
  },
  "key-curve": { title: "Elliptic curve", advice: NEW_KEY, section: "6.1.5", standard: rfc(5480, "2.1.1") },
  "key-size": { title: "Size of the key", advice: NEW_KEY, section: "6.1.5", standard: FIPS_186 },
  "key-point": keyRule("Point of the curve", SP_800_56A),
  "key-exponent": keyRule("Public exponent", FIPS_186),
  "key-small-factor": keyRule("Small prime factors", CABF),
  "key-prime-modulus": keyRule("Prime modulus", rfc(8017, "3.1")),
  "key-close-primes": keyRule("Close primes", FERMAT, "Use another tool to create a new key, and a CSR with it."),
  "key-roca": keyRule("ROCA weakness", ROCA, "Create a new key outside that device, and a CSR with it."),
  "key-listed": keyRule("Known bad keys", CABF),
  "key-blocked": keyRule("Blocked keys", CABF),
  "key-shared-factor": keyRule("Shared prime factors", FACTORS),
  "key-in-use": { title: "Keys of other subjects", advice: NEW_KEY, section: "3.1.5", standard: rfc(2986, "3") },
  "key-of-authority": { title: "Keys of this CA", advice: NEW_KEY, section: "6.1.7", standard: rfc(5280, "4.2.1.9") },
  "key-of-another": { title: "Keys of other subscribers", advice: "", section: "3.1.5", standard: rfc(2986, "3") },
} satisfies Record<string, RequestRule>;

const subjectRule = (
  title: string,
  advice: string,
  section = "3.1.4",
  standard: RequestRule["standard"] = UPPER_BOUNDS,
) => ({
  title,
  advice,
  section,
  standard,
});

const SUBJECT = {
  "subject-required": subjectRule(
    "Required attributes",
    "Create the CSR again and state it.",
    "3.1.2",
    rfc(5280, "4.1.2.6"),
  ),
  "subject-repeated": subjectRule(
    "Repeated attributes",
    "Create the CSR again with one.",
    "3.1.4",
    rfc(5280, "4.1.2.6"),
  ),
  "subject-length": subjectRule("Lengths of attributes", "Create the CSR again with a shorter one."),
  "subject-country": subjectRule("Country", "Create the CSR again with the right code.", "3.1.2", ISO_3166),
  "subject-characters": subjectRule(
    "Characters of the subject",
    "Create the CSR again without them.",
    "3.1.4",
    UTS_39_CHARACTERS,
  ),
  "subject-scripts": subjectRule(
    "Look-alike letters",
    "Create the CSR again with each word in one script.",
    "3.1.4",
    UTS_39,
  ),
  "serial-number-characters": subjectRule(
    "Characters of the serial number",
    "Create the CSR again without other characters.",
  ),
  "email-invalid": subjectRule(
    "Email address of the subject",
    "Create the CSR again with a valid address or without one.",
    "3.1.4",
    rfc(5321, "4.1.2"),
  ),
} satisfies Record<string, RequestRule>;

const formRule = (title: string, standard: RequestRule["standard"], advice = VALID_NAME): RequestRule => ({
  title,
  advice,
  section: "3.1.4",
  standard,
});

const FORMS = {
  "name-characters": formRule("Characters of names", UTS_39_CHARACTERS, "Create the CSR again without them."),
  "name-scripts": formRule("Look-alike letters in names", UTS_39, "Create the CSR again with a name in one script."),
  "dns-ascii": formRule("ASCII form of DNS names", rfc(5280, "7.2")),
  "dns-invalid": formRule("DNS names", rfc(1034, "3.5")),
  "dns-length": formRule("Lengths of DNS names", rfc(1034, "3.1")),
  "dns-punycode": formRule("International DNS names", rfc(5891, "4.2")),
  "dns-trailing-dot": formRule("Trailing dots", rfc(5280, "4.2.1.6")),
  "dns-wildcard": formRule("Wildcards", rfc(9525, "6.3")),
  "ip-invalid": formRule("IP addresses", rfc(5280, "4.2.1.6")),
  "rfc822-invalid": formRule("Email addresses", rfc(5280, "4.2.1.6")),
  "uri-invalid": formRule("URIs", rfc(5280, "4.2.1.6")),
  "ssid-invalid": formRule("OFTP IDs", rfc(5024, "5.4")),
} satisfies Record<string, RequestRule>;

const classRule = (title: string, standard: RequestRule["standard"], advice: string): RequestRule => ({
  title,
  advice,
  section: "3.1.4",
  standard,
});

const CLASSES: Record<`name-${NameClass}`, RequestRule> = {
  "name-special-use": classRule(
    "Special-use names",
    wholeRfc(6761),
    "Create the CSR again with a name that your organisation has registered.",
  ),
  "name-internal": classRule(
    "Internal names",
    INTERNAL_NAMES,
    "Create the CSR again with a name below a domain that your organisation has registered.",
  ),
  "name-single-label": classRule(
    "Single labels",
    INTERNAL_NAMES,
    "Create the CSR again with the full name of the host, such as edi.your-company.com.",
  ),
  "name-public-suffix": classRule(
    "Public suffixes",
    SUFFIXES,
    "Create the CSR again with names below your organisation's own domain.",
  ),
  "name-private-address": classRule("Private addresses", wholeRfc(6890), OWN_ADDRESS),
  "name-special-address": classRule("Special-purpose addresses", wholeRfc(6890), OWN_ADDRESS),
  "name-documentation": classRule(
    "Names for documentation",
    wholeRfc(2606),
    "Create the CSR again with a name or address of your organisation.",
  ),
};

const SIGNATURE = {
  "signature-algorithm": {
    title: "Hash of the CSR's signature",
    advice: "Create the CSR again with SHA-256, SHA-384 or SHA-512.",
    section: "3.2.1",
    standard: SP_800_131A,
  },
  "signature-invalid": {
    title: "Signature of the CSR",
    advice: "Create the CSR again with your private key.",
    section: "3.2.1",
    standard: rfc(2986, "3"),
  },
} satisfies Record<string, RequestRule>;

/** Every rule about a CSR and its key by its stable code. Pages, calls and documents take their words from here. */
export const REQUEST_RULES = { ...SIGNATURE, ...KEYS, ...SUBJECT, ...FORMS, ...CLASSES };

export type RuleCode = keyof typeof REQUEST_RULES;

/** One broken rule. `sentence` says what is wrong, `message` also how to satisfy the rule, for the person who made the CSR. */
export interface RequestRefusal {
  code: RuleCode;
  sentence: string;
  message: string;
}
