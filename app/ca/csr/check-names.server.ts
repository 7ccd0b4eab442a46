import { isIP } from "node:net";
import { isOftpId, OFTP_ID_FORM } from "~/lib/oftp-id";
import { dnsFormProblem } from "../names/name-form.server";
import { checkAlternativeHost, hostOf, type NamePolicy } from "../names/name-policy.server";
import { type AlternateName, type AlternateNameType } from "../x509/general-names.server";
import { isDnsName, isMailbox } from "../x509/host-name.server";
import { hasControlCharacters } from "./check-subject.server";
import { mixesScriptsInLabel, shownLabels } from "./look-alikes.server";
import { brokenRule, refuseIf } from "./refusal.server";
import { type RequestRefusal, type RuleCode } from "./rules/catalogue";

interface NameRule {
  code: RuleCode;
  caption: string;
  /** A description of the valid form. */
  form?: string;
  holds: (value: string) => boolean;
}

const URI_FORM =
  "an allowed scheme such as https, two slashes, and the DNS name or the IP address of a host without a user before it; a urn has no host";

/** The types of names that are copied into certificates, beside DNS names. Other types are omitted, so they are not checked. */
const RULES: Partial<Record<AlternateNameType, NameRule>> = {
  ip: { code: "ip-invalid", caption: "IP address", holds: (value) => isIP(value) !== 0 },
  rfc822: { code: "rfc822-invalid", caption: "email address", holds: isDecodableMailbox },
  uri: { code: "uri-invalid", caption: "URI", form: URI_FORM, holds: isUri },
  ssid: {
    code: "ssid-invalid",
    caption: "OFTP ID (oftp:// URI)",
    form: OFTP_ID_FORM,
    holds: (value) => isOftpId(value.trim()),
  },
};

const MAX_SHOWN = 60;

const isSame = (ssid: string, kept: string | null | undefined) => ssid.trim().toUpperCase() === kept?.toUpperCase();

/**
 * Checks the rules for the alternative names (RFC 5280 §4.2.1.6). Returns a refusal for each broken rule.
 * @param keptSsid The OFTP ID of the subject's existing certificate. The new certificate keeps it whatever its form.
 */
export function checkNames(
  names: readonly AlternateName[],
  { keptSsid, ...policy }: NamePolicy & { keptSsid?: string | null },
): RequestRefusal[] {
  return names.flatMap((name) => {
    if (name.type === "ssid" && isSame(name.value, keptSsid)) return [];
    const refusals = name.type === "dns" ? checkDnsName(name.value) : checkForm(name);
    return refusals.length > 0 ? refusals : checkAlternativeHost(name, policy);
  });
}

const holdsControlCharacters = (caption: string) =>
  refuseIf(true, "name-characters", `Alternative names: a ${caption} holds control characters.`);

const shortened = (value: string) => (value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);

function checkDnsName(name: string): RequestRefusal[] {
  if (hasControlCharacters(name)) return holdsControlCharacters("DNS name");
  if (mixesScriptsInLabel(name)) {
    return refuseIf(
      true,
      "name-scripts",
      `Alternative names: a part of the DNS name '${name}' mixes letters of different scripts that look alike.`,
    );
  }
  const problem = dnsFormProblem(name);
  return problem === null
    ? []
    : [brokenRule(problem.code, `Alternative names: the DNS name '${shortened(name)}' ${problem.text}.`)];
}

function checkForm({ type, value }: AlternateName): RequestRefusal[] {
  const rule = RULES[type];
  if (!rule) return [];
  if (hasControlCharacters(value)) return holdsControlCharacters(rule.caption);
  return refuseIf(
    !rule.holds(value),
    rule.code,
    `Alternative names: '${shortened(value)}' is not a valid ${rule.caption}.${rule.form ? ` It has ${rule.form}.` : ""}`,
  );
}

/** Returns whether the text is a mailbox whose domain can be shown: each `xn--` part of it is decoded. */
function isDecodableMailbox(address: string): boolean {
  return isMailbox(address) && shownLabels(address.split("@")[1] ?? "") !== null;
}

/** The characters of a URI: unreserved and reserved ones, and the percent sign (RFC 3986 §2). Programs disagree about all others. */
const URI_TEXT = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

/** A URI with a host. No user information comes before it, and nothing in it is escaped, so that every program sees the same host. */
const WITH_HOST = /^(https?|ftps?|sftp|ldaps?):\/\/[^/?#@%]+([/?#]|$)/i;

/** A name of an object without a host (RFC 8141 §2). */
const URN = /^urn:[a-z\d][a-z\d-]{0,31}:./i;

/** Returns whether the value is a URI (RFC 5280 §4.2.1.6, RFC 3986) that names a host, or a URN. */
function isUri(value: string): boolean {
  if (!URI_TEXT.test(value) || !URL.canParse(value)) return false;
  return URN.test(value) || (WITH_HOST.test(value) && hasValidHost(value));
}

/** Returns whether the host of a URI is a DNS name without a wildcard, or an IP address. */
function hasValidHost(uri: string): boolean {
  const host = hostOf({ type: "uri", value: uri }) ?? "";
  return isIP(host) !== 0 || (isDnsName(host) && !host.startsWith("*"));
}
