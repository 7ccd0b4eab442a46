import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type NameClass } from "~/lib/name-classes";
import { brokenRule } from "../csr/refusal.server";
import { type RequestRefusal } from "../csr/rules/catalogue";
import { type AlternateName } from "../x509/general-names.server";
import { isHostName, isMailbox } from "../x509/host-name.server";
import { classOfAddress } from "./special-addresses.server";
import { classOfDnsName } from "./special-names.server";

/** Which names are certified. */
export interface NamePolicy {
  /** The classes of names that are certified although they are refused by default. */
  allowedNames: readonly NameClass[];
}

/** What is said about a name of each class, after the name. */
const PROBLEMS: Readonly<Record<NameClass, string>> = {
  "special-use": "is a special-use name, which no organisation can own",
  internal: "is an internal name: it does not end in a top-level domain of the public DNS",
  "single-label": "is a single label, which can mean another host in every network",
  "public-suffix": "covers a whole public suffix, below which different organisations register their names",
  "private-address": "is a private address, which means another host in every network",
  "special-address": "is a special-purpose address, which does not belong to one host on the internet",
  documentation: "is reserved for documentation and tests",
};

/** Returns the class of a host, which is a DNS name in ASCII or an IP address, or null when the host is ordinary. */
export const classOfHost = (host: string): NameClass | null =>
  isIP(host) === 0 ? classOfDnsName(host) : classOfAddress(host);

/** Returns the class of a host that the policy does not allow, with what is wrong after the name. Returns null for an allowed host. */
export function hostProblem(host: string, { allowedNames }: NamePolicy): { name: NameClass; text: string } | null {
  const name = classOfHost(host);
  return name === null || allowedNames.includes(name) ? null : { name, text: PROBLEMS[name] };
}

/** Returns a refusal when the policy does not allow the host. `label` says where the host stands. */
function checkHost(label: string, host: string, policy: NamePolicy): RequestRefusal[] {
  const problem = hostProblem(host, policy);
  return problem === null ? [] : [brokenRule(`name-${problem.name}`, `${label} '${host}' ${problem.text}.`)];
}

/** Returns the host of a URI, or null when it names none. */
function hostOfUri(uri: string): string | null {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(uri) || !URL.canParse(uri)) return null;
  return new URL(uri).hostname.replace(/^\[|\]$/g, "") || null;
}

/** Returns the host in a name of this type, or null when the name has none. */
export function hostOf({ type, value }: AlternateName): string | null {
  if (type === "dns" || type === "ip") return value;
  if (type === "rfc822") return value.split("@")[1] ?? null;
  return type === "uri" ? hostOfUri(value) : null;
}

const LABELS: Partial<Record<AlternateName["type"], string>> = {
  dns: "the DNS name",
  ip: "the IP address",
  rfc822: "the email address's domain",
  uri: "the URI's host",
};

/** Checks which host an alternative name of a valid form means. Returns a refusal when the policy does not allow it. */
export function checkAlternativeHost(name: AlternateName, policy: NamePolicy): RequestRefusal[] {
  const host = hostOf(name);
  return host === null ? [] : checkHost(`Alternative names: ${LABELS[name.type]}`, host, policy);
}

/**
 * Returns the host that a common name means, or null. A single word is the name of a station or a company, not a host, unless it is
 * `localhost`: only a name with a dot becomes a DNS name of the certificate.
 */
export function hostOfCommonName(commonName: string): string | null {
  const text = commonName.trim();
  if (isIP(text) !== 0) return text;
  const ascii = domainToASCII(text);
  return isHostName(ascii) || ascii === "localhost" ? ascii : null;
}

/** Checks the hosts that a subject names, in its common name and its email address. Returns a refusal for each that is not allowed. */
export function checkSubjectHosts(
  { commonName = "", email = "" }: { commonName?: string; email?: string },
  policy: NamePolicy,
): RequestRefusal[] {
  const host = hostOfCommonName(commonName);
  const domain = isMailbox(email) ? email.split("@")[1] : undefined;
  return [
    ...(host === null ? [] : checkHost("Subject: the common name", host, policy)),
    ...(domain === undefined ? [] : checkHost("Subject: the email address's domain", domain, policy)),
  ];
}
