import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { shownLabels } from "../csr/look-alikes.server";
import { type RuleCode } from "../csr/rules/catalogue";
import { isDnsName } from "../x509/host-name.server";

const MAX_LABEL = 63;
const MAX_NAME = 253;

/** A broken rule about the form of a name. */
export interface FormProblem {
  code: RuleCode;
  /** What is wrong, after the name: `ends with a dot`. */
  text: string;
}

const asciiForm = (name: string) => {
  const ascii = domainToASCII(name);
  return isDnsName(ascii) ? `, here '${ascii}'` : "";
};

/** Why a name is no DNS name, in the order in which the reasons are looked for. */
const REASONS: readonly [reason: string, applies: (name: string) => boolean][] = [
  ["it is an IP address", (name) => isIP(name) !== 0],
  ["it is a URI", (name) => name.includes("://")],
  ["it has a port", (name) => /^[^:]+:\d+$/.test(name)],
  ["it has a character other than letters, digits, hyphens and dots", (name) => /[^a-z\d.*-]/i.test(name)],
  ["it has an empty part", (name) => name.split(".").includes("")],
  ["a part begins or ends with a hyphen", (name) => /(^|\.)-|-(\.|$)/.test(name)],
  ["its last part is a number", (name) => /(^|\.)\d+$/.test(name)],
];

function whyInvalid(name: string): string {
  const [reason] = REASONS.find(([, applies]) => applies(name)) ?? [];
  return reason === undefined ? "" : `: ${reason}`;
}

/**
 * Returns the rule that a DNS name breaks by its form (RFC 1034 §3.5, RFC 9525 §6.3 for wildcards, RFC 5891 for `xn--`), or null for a valid
 * name.
 */
export function dnsFormProblem(name: string): FormProblem | null {
  if (/[\u0080-\uffff]/.test(name))
    return { code: "dns-ascii", text: `has characters outside ASCII; a DNS name has its xn-- form${asciiForm(name)}` };
  if (name.endsWith(".")) return { code: "dns-trailing-dot", text: "ends with a dot" };
  const labels = name.split(".");
  const long = labels.find((label) => label.length > MAX_LABEL);
  if (long !== undefined)
    return { code: "dns-length", text: `has a part of ${long.length} octets; at most ${MAX_LABEL} are allowed` };
  if (name.length > MAX_NAME)
    return { code: "dns-length", text: `has ${name.length} octets; at most ${MAX_NAME} are allowed` };
  if (name === "*") return { code: "dns-wildcard", text: "is a wildcard without a domain" };
  if (name.includes("*") && (labels[0] !== "*" || labels.slice(1).some((label) => label.includes("*"))))
    return { code: "dns-wildcard", text: "has a wildcard that is not its whole first part" };
  if (labels[0] === "*" && labels.length < 3)
    return { code: "dns-wildcard", text: "has its wildcard directly below a top-level domain" };
  if (!isDnsName(name)) return { code: "dns-invalid", text: `is not a valid DNS name${whyInvalid(name)}` };
  if (shownLabels(name) === null) return { code: "dns-punycode", text: "has an xn-- part that cannot be decoded" };
  return null;
}
