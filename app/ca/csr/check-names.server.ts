import { isIP } from "node:net";
import { isOftpId, OFTP_ID_FORM } from "~/lib/oftp-id";
import { type AlternateName, type AlternateNameType } from "../x509/general-names.server";
import { isDnsName, isMailbox } from "../x509/host-name.server";
import { hasControlCharacters } from "./check-subject.server";
import { mixesScriptsInLabel, shownLabels } from "./look-alikes.server";
import { type CsrRefusal, type CsrRefusalCode, refuseIf } from "./refusal.server";

interface NameRule {
  code: CsrRefusalCode;
  caption: string;
  /** A description of the valid form. */
  form?: string;
  holds: (value: string) => boolean;
}

/** The types of names that are copied into certificates. Other types are omitted, so they are not checked. */
const RULES: Partial<Record<AlternateNameType, NameRule>> = {
  dns: { code: "dns-invalid", caption: "DNS name", holds: (value) => isDnsName(value) && shownLabels(value) !== null },
  ip: { code: "ip-invalid", caption: "IP address", holds: (value) => isIP(value) !== 0 },
  rfc822: { code: "rfc822-invalid", caption: "email address", holds: isMailbox },
  uri: { code: "uri-invalid", caption: "URI", holds: isUri },
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
export function checkNames(names: readonly AlternateName[], keptSsid?: string | null): CsrRefusal[] {
  return names.flatMap(({ type, value }) => {
    const rule = RULES[type];
    if (!rule || (type === "ssid" && isSame(value, keptSsid))) return [];
    if (hasControlCharacters(value)) {
      return refuseIf(
        true,
        "name-characters",
        `Alternative names: a ${rule.caption} holds control characters. Create the CSR again without them.`,
      );
    }
    if (type === "dns" && mixesScriptsInLabel(value)) {
      return refuseIf(
        true,
        "name-scripts",
        `Alternative names: a part of the DNS name '${value}' mixes letters of different scripts that look alike. Create the CSR again with a name in one script.`,
      );
    }
    const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
    return refuseIf(
      !rule.holds(value),
      rule.code,
      `Alternative names: '${shown}' is not a valid ${rule.caption}.${rule.form ? ` It has ${rule.form}.` : ""} Create the CSR again with a valid one or without it.`,
    );
  });
}

/**
 * Returns whether the value is an absolute URI of ASCII characters (RFC 5280 §4.2.1.6, RFC 3986) with a scheme for a location or an object.
 */
function isUri(value: string): boolean {
  return /^(https?|ftps?|sftp|ldaps?|urn):[\x21-\x7e]+$/i.test(value) && URL.canParse(value);
}
