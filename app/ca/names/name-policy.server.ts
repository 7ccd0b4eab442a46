import { isIP } from "node:net";
import { type NameClass } from "~/lib/name-classes";
import { brokenRule } from "../csr/refusal.server";
import { type RequestRefusal } from "../csr/rules/catalogue";
import { type AlternateName } from "../x509/general-names.server";
import { isMailbox } from "../x509/host-name.server";
import { hostsOfCommonName } from "./common-name.server";
import { classOfAddress, unmappedAddress } from "./special-addresses.server";
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

/** Returns a refusal when the policy does not allow the host. `subject` says which host it is: `Subject: the common name 'localhost'`. */
function checkHost(subject: string, host: string, policy: NamePolicy): RequestRefusal[] {
  const problem = hostProblem(host, policy);
  return problem === null ? [] : [brokenRule(`name-${problem.name}`, `${subject} ${problem.text}.`)];
}

/** Returns the host of a URI as browsers read it, which needs no slashes: `https:acme.com` names one. Returns null when it names none. */
function hostOfUri(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  return new URL(uri).hostname.replace(/^\[|\]$/g, "") || null;
}

/** Returns the host in a name of this type, or null when the name has none. */
export function hostOf({ type, value }: AlternateName): string | null {
  if (type === "dns" || type === "ip") return value;
  if (type === "rfc822") return value.split("@")[1] ?? null;
  return type === "uri" ? hostOfUri(value) : null;
}

/** How the host of a name is named in sentences. */
const SUBJECTS: Partial<Record<AlternateName["type"], (host: string, value: string) => string>> = {
  dns: (host) => `the DNS name '${host}'`,
  ip: (host) => `the IP address '${unmappedAddress(host)}'`,
  rfc822: (host) => `the email address's domain '${host}'`,
  uri: (host, value) => `the host '${host}' of the URI '${value}'`,
};

/** Checks which host an alternative name of a valid form means. Returns a refusal when the policy does not allow it. */
export function checkAlternativeHost(name: AlternateName, policy: NamePolicy): RequestRefusal[] {
  const host = hostOf(name);
  const subject = host === null ? undefined : SUBJECTS[name.type]?.(host, name.value);
  return host === null || subject === undefined ? [] : checkHost(`Alternative names: ${subject}`, host, policy);
}

/** Checks the hosts that a common name means: their forms, and whether the policy allows them. */
function checkCommonNameHosts(commonName: string, policy: NamePolicy): RequestRefusal[] {
  return hostsOfCommonName(commonName).flatMap(({ host, problem }) => {
    const label = host === commonName.trim() ? "Subject: the common name" : "Subject: the common name's host";
    const named = `${label} '${host}'`;
    return problem === null ? checkHost(named, host, policy) : [brokenRule(problem.code, `${named} ${problem.text}.`)];
  });
}

/** Checks the hosts that a subject names, in its common name and its email address. Returns a refusal for each that is not allowed. */
export function checkSubjectHosts(
  { commonName = "", email = "" }: { commonName?: string; email?: string },
  policy: NamePolicy,
): RequestRefusal[] {
  const domain = isMailbox(email) ? email.split("@")[1] : undefined;
  return [
    ...checkCommonNameHosts(commonName, policy),
    ...(domain === undefined ? [] : checkHost(`Subject: the email address's domain '${domain}'`, domain, policy)),
  ];
}
