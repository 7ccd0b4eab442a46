import { type NameClass } from "~/lib/name-classes";
import {
  baselineRequirements,
  type RequestRule,
  type RequestRules,
  rfc,
  UTS_39,
  UTS_39_CHARACTERS,
  wholeRfc,
} from "./rule";

const ISO_3166 = { text: "ISO 3166-1", url: "https://www.iso.org/iso-3166-country-codes.html" };
const SUFFIXES = { text: "Public Suffix List", url: "https://publicsuffix.org/list/" };
const UPPER_BOUNDS = { text: "RFC 5280 appendix A.1", url: "https://www.rfc-editor.org/rfc/rfc5280#appendix-A.1" };
const INTERNAL_NAMES = baselineRequirements("4.2.2");

const OWN_ADDRESS = "Create the CSR again with the host's DNS name, or its public address.";
const HOST_NAME = "Create the CSR again with the name of the host, such as edi.your-company.com.";

const nameRule = (
  title: string,
  requirement: string,
  standard: RequestRule["standard"],
  advice: string,
  section = "3.1.4",
): RequestRule => ({ title, requirement, advice, section, standard });

/** Rules about the subject of a CSR. */
export const SUBJECT_RULES = {
  "subject-required": nameRule(
    "Required attributes",
    "The subject has a common name (CN), an organisation (O) and a country (C).",
    rfc(5280, "4.1.2.6"),
    "Create the CSR again and state it.",
    "3.1.2",
  ),
  "subject-repeated": nameRule(
    "Repeated attributes",
    "The subject states each attribute once.",
    rfc(5280, "4.1.2.6"),
    "Create the CSR again with one.",
  ),
  "subject-length": nameRule(
    "Lengths of attributes",
    "No attribute of the subject is longer than X.520 allows.",
    UPPER_BOUNDS,
    "Create the CSR again with a shorter one.",
  ),
  "subject-country": nameRule(
    "Country",
    "The country is a code of two capital letters.",
    ISO_3166,
    "Create the CSR again with the right code.",
    "3.1.2",
  ),
  "subject-characters": nameRule(
    "Characters of the subject",
    "The subject has no control characters, no invisible characters and none that change the direction of writing.",
    UTS_39_CHARACTERS,
    "Create the CSR again without them.",
  ),
  "subject-scripts": nameRule(
    "Look-alike letters",
    "No word of the subject mixes letters of different scripts that look alike.",
    UTS_39,
    "Create the CSR again with each word in one script.",
  ),
  "serial-number-characters": nameRule(
    "Characters of the serial number",
    "The serial number of the subject has only letters without accents, digits, spaces and ' ( ) + , - . / : = ?.",
    UPPER_BOUNDS,
    "Create the CSR again without other characters.",
  ),
  "email-invalid": nameRule(
    "Email address of the subject",
    "The email address of the subject is valid.",
    rfc(5321, "4.1.2"),
    "Create the CSR again with a valid address or without one.",
  ),
} satisfies RequestRules;

/** Rules about the forms of alternative names. */
export const FORM_RULES = {
  "name-characters": nameRule(
    "Characters of names",
    "Alternative names have no control characters, no invisible characters and none that change the direction of writing.",
    UTS_39_CHARACTERS,
    "Create the CSR again without them.",
  ),
  "name-scripts": nameRule(
    "Look-alike letters in names",
    "No part of a DNS name mixes letters of different scripts that look alike.",
    UTS_39,
    "Create the CSR again with a name in one script.",
  ),
  "dns-ascii": nameRule(
    "ASCII form of DNS names",
    "International DNS names are stated in their xn-- form.",
    rfc(5280, "7.2"),
    "Create the CSR again with that form.",
  ),
  "dns-invalid": nameRule(
    "DNS names",
    "The parts of a DNS name have letters, digits and hyphens, and no hyphen at an end.",
    rfc(1034, "3.5"),
    HOST_NAME,
  ),
  "dns-length": nameRule(
    "Lengths of DNS names",
    "A DNS name has at most 253 octets, and each part of it at most 63.",
    rfc(1034, "3.1"),
    "Create the CSR again with a shorter name.",
  ),
  "dns-punycode": nameRule(
    "International DNS names",
    "Each xn-- part of a DNS name can be decoded.",
    rfc(5891, "4.2"),
    "Create the CSR again with the xn-- form under which the domain is registered.",
  ),
  "dns-trailing-dot": nameRule(
    "Trailing dots",
    "A DNS name does not end with a dot.",
    rfc(5280, "4.2.1.6"),
    "Create the CSR again without the dot at the end.",
  ),
  "dns-wildcard": nameRule(
    "Wildcards",
    "A wildcard is the whole first part of a DNS name and not directly below a top-level domain.",
    rfc(9525, "6.3"),
    "Create the CSR again with a wildcard such as *.your-company.com, or the names of the hosts.",
  ),
  "ip-invalid": nameRule(
    "IP addresses",
    "An IP address is one of IPv4 or IPv6.",
    rfc(5280, "4.2.1.6"),
    "Create the CSR again with the host's DNS name, or a valid address.",
  ),
  "rfc822-invalid": nameRule(
    "Email addresses",
    "An email address among the alternative names is valid.",
    rfc(5280, "4.2.1.6"),
    "Create the CSR again with a valid address or without one.",
  ),
  "uri-invalid": nameRule(
    "URIs",
    "A URI starts with http, https, ftp, ftps, sftp, ldap or ldaps, with two slashes, and with a host: a DNS name without a wildcard, or an IP address, without a user before it. A urn needs no host.",
    rfc(5280, "4.2.1.6"),
    "Create the CSR again with such a URI or without one.",
  ),
  "ssid-invalid": nameRule(
    "OFTP IDs",
    "An alternative name that starts with oftp:// is a valid OFTP ID.",
    rfc(5024, "5.4"),
    "Create the CSR again with your OFTP ID or without one.",
  ),
} satisfies RequestRules;

/** Rules about what names mean. The portal can allow each class of names for private use. */
export const CLASS_RULES: Record<`name-${NameClass}`, RequestRule> = {
  "name-special-use": nameRule(
    "Special-use names",
    "No name is a special-use name, such as localhost or a name below invalid or onion.",
    wholeRfc(6761),
    "Create the CSR again with a name that your organisation has registered.",
  ),
  "name-internal": nameRule(
    "Internal names",
    "Each name ends in a top-level domain of the public DNS.",
    INTERNAL_NAMES,
    "Create the CSR again with a name below a domain that your organisation has registered.",
  ),
  "name-single-label": nameRule(
    "Single labels",
    "The name of a host has a dot. A single label can mean another host in every network.",
    INTERNAL_NAMES,
    "Create the CSR again with the full name of the host, such as edi.your-company.com.",
  ),
  "name-public-suffix": nameRule(
    "Public suffixes",
    "No name covers a public suffix, below which different organisations register their names.",
    SUFFIXES,
    "Create the CSR again with names below your organisation's own domain.",
  ),
  "name-private-address": nameRule(
    "Private addresses",
    "No IP address is private or shared. Such an address means another host in every network.",
    wholeRfc(6890),
    OWN_ADDRESS,
  ),
  "name-special-address": nameRule(
    "Special-purpose addresses",
    "No IP address is a loopback, link-local, multicast or other special-purpose address.",
    wholeRfc(6890),
    OWN_ADDRESS,
  ),
  "name-documentation": nameRule(
    "Names for documentation",
    "No name or address is reserved for documentation and tests.",
    wholeRfc(2606),
    "Create the CSR again with a name or address of your organisation.",
  ),
};
