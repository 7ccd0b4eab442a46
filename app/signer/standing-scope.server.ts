import { type CertificateDescription } from "~/ca/certificate/describe.server";
import { usagesOfChoices } from "~/ca/certificate/usage.server";
import { hostsOfCommonName } from "~/ca/names/common-name.server";
import { unconfirmedNames } from "~/ca/names/domain-control.server";
import { type StandingScope } from "./protocol";

/** What of a certificate a standing grant is about. */
export interface CertifiedContent {
  /** The name of its CA. */
  issuer: string;
  description: Pick<
    CertificateDescription,
    "subject" | "subjectAlternateName" | "keyUsage" | "enhancedKeyUsage" | "keyAlgorithm" | "endDate"
  >;
}

const DAY = 24 * 60 * 60_000;
const NAMES = ["dns", "rfc822", "ip", "ssid"];

const differs = (label: string, own: string | undefined, granted: string | null, isRequired: boolean): string[] =>
  own === (granted ?? undefined) || (own === undefined && !isRequired)
    ? []
    : [`its ${label} is '${own ?? ""}', and the grant has ${granted === null ? "none" : `'${granted}'`}.`];

function subjectProblems({ description: { subject } }: CertifiedContent, scope: StandingScope): string[] {
  const { commonName = "", deviceSerialNumber: id } = subject;
  const isNamed = commonName === scope.organisation || hostsOfCommonName(commonName).length > 0;
  return [
    ...differs("organisation", subject.organisation, scope.organisation, true),
    ...differs("country", subject.country, scope.country, true),
    ...differs("organisation unit", subject.organisationUnit, scope.organisationUnit, false),
    ...differs("locality", subject.locality, scope.locality, false),
    ...differs("state or province", subject.state, scope.state, false),
    ...(isNamed ? [] : [`its common name '${commonName}' is neither a host name nor the organisation.`]),
    ...(id === undefined || scope.oftpIds.includes(id.toUpperCase())
      ? []
      : [`its serialNumber '${id}' is none of the granted OFTP IDs.`]),
  ];
}

function nameProblems({ description }: CertifiedContent, scope: StandingScope): string[] {
  const { subject, subjectAlternateName: names } = description;
  const requested = { commonName: subject.commonName ?? "", email: subject.email ?? null, names };
  const problems = names.flatMap(({ type, value }) => {
    if (!NAMES.includes(type)) return [`its name '${value}' is neither a host name, a mailbox nor an OFTP ID.`];
    if (type !== "ssid" || scope.oftpIds.includes(value.toUpperCase())) return [];
    return [`its name '${value}' is none of the granted OFTP IDs.`];
  });
  const outside = unconfirmedNames(requested, scope.domains);
  return [...outside.map(({ value }) => `its name '${value}' is not below a granted domain.`), ...problems];
}

/** Returns whether the usages of a certificate are those that some of the granted ones give. */
function hasGrantedUsages({ description }: CertifiedContent, { usages }: StandingScope): boolean {
  const { keyUsage, enhancedKeyUsage: extendedKeyUsage, keyAlgorithm } = description;
  if (keyAlgorithm === "other") return false;
  const own = JSON.stringify({ keyUsage, extendedKeyUsage });
  return usagesOfChoices(keyAlgorithm, usages).some((granted) => JSON.stringify(granted) === own);
}

/** Returns the latest end of a certificate that is signed now, with a day for clocks. */
function latestEnd({ longestYears, renewalDays }: StandingScope, now: Date): number {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + longestYears);
  return end.getTime() + (renewalDays + 1) * DAY;
}

/** Returns why a scope does not cover a certificate that is signed now, as the rest of a sentence that ends with a full stop, or null. */
export function whyNotCovered(certificate: CertifiedContent, scope: StandingScope, now: Date): string | null {
  const { issuer, description } = certificate;
  const [problem] = [
    ...(scope.issuers.includes(issuer) ? [] : [`its CA '${issuer}' is none of the granted ones.`]),
    ...subjectProblems(certificate, scope),
    ...nameProblems(certificate, scope),
    ...(hasGrantedUsages(certificate, scope) ? [] : ["its key usages are not those of granted usages."]),
    ...(Date.parse(description.endDate) <= latestEnd(scope, now)
      ? []
      : [`it would be valid for longer than ${scope.longestYears} years.`]),
  ];
  return problem ?? null;
}
