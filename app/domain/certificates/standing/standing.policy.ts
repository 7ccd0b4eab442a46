import { hostsOfCommonName } from "~/ca/names/common-name.server";
import { type ConfirmedName, type RequestedNames, unconfirmedNames } from "~/ca/names/domain-control.server";
import { shownName } from "~/ca/names/international.server";
import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type StandingRow, type StandingUse } from "~db/repositories/standing-authorisations.server";
import { type UsageFlag } from "../purchase/fields";
import { amountsText, STANDING_LABELS } from "./standing";

/** What has become of a standing authorisation. */
export type StandingState = "Waiting" | "Active" | "Rejected" | "Ended";

export function stateOfStanding(
  { approvedAt, endedAt, endsAt }: Pick<StandingRow, "approvedAt" | "endedAt" | "endsAt">,
  now: Date,
): StandingState {
  if (endedAt !== null) return approvedAt === null ? "Rejected" : "Ended";
  if (endsAt <= now.toISOString()) return "Ended";
  return approvedAt === null ? "Waiting" : "Active";
}

/** Returns the lists that a row has as JSON. */
export const listsOf = ({ domains, oftpIds, usages }: Pick<StandingRow, "domains" | "oftpIds" | "usages">) => ({
  domains: JSON.parse(domains) as ConfirmedName[],
  oftpIds: JSON.parse(oftpIds) as string[],
  usages: JSON.parse(usages) as UsageFlag[],
});

/** What is left of the ceilings. Null for a ceiling that there is not. */
export const leftOf = (
  { ceilingCertificates, ceilingCents }: Pick<StandingRow, "ceilingCertificates" | "ceilingCents">,
  { certificates, cents }: StandingUse,
) => ({
  certificates: ceilingCertificates === null ? null : Math.max(0, ceilingCertificates - certificates),
  cents: ceilingCents === null ? null : Math.max(0, ceilingCents - cents),
});

/** What an order under a standing authorisation asks for. */
export interface AskedUnder extends RequestedNames {
  organisation: string;
  organisationUnit: string | null;
  locality: string | null;
  state: string | null;
  country: string;
  usage: readonly UsageFlag[];
  years: number;
  netCents: number;
  /** Whether the customer has shown to read the mailbox of the account. */
  isEmailVerified: boolean;
  /** Whether a member of staff who acts as the customer places it. */
  isPlacedByStaff: boolean;
}

/** What the company has now. */
export interface StandingFacts {
  use: StandingUse;
  confirmed: readonly ConfirmedName[];
  oftpIds: readonly string[];
}

const NOT_IN_FORCE: Record<Exclude<StandingState, "Active">, string> = {
  Waiting: "The standing authorisation waits for the approval of our staff.",
  Rejected: "The standing authorisation was not approved.",
  Ended: "The standing authorisation has ended.",
};

const differs = (label: string, asked: string | null, expected: string | null, isRequired: boolean): string[] =>
  (asked ?? "") === (expected ?? "") || (!isRequired && !asked)
    ? []
    : [`The ${label} is '${asked ?? ""}', and the standing authorisation has ${expected ? `'${expected}'` : "none"}.`];

const subjectDifferences = (row: StandingRow, asked: AskedUnder): string[] => [
  ...differs("organisation", asked.organisation, row.organisation, true),
  ...differs("country", asked.country, row.country, true),
  ...differs("organisation unit", asked.organisationUnit, row.organisationUnit, false),
  ...differs("city", asked.locality, row.locality, false),
  ...differs("state or province", asked.state, row.state, false),
];

const KINDS = ["dns", "rfc822", "ip", "ssid"];

function nameDifferences(row: StandingRow, asked: AskedUnder, facts: StandingFacts): string[] {
  const { domains, oftpIds } = listsOf(row);
  const isNamed = asked.commonName === row.organisation || hostsOfCommonName(asked.commonName).length > 0;
  const found = (confirmed: readonly ConfirmedName[]) =>
    new Set(unconfirmedNames(asked, confirmed).map(({ value }) => shownName(value)));
  const outside = found(domains);
  const ended = [...found(facts.confirmed)].filter((name) => !outside.has(name));
  const ids = asked.names.filter(({ type }) => type === "ssid").map(({ value }) => value.toUpperCase());
  const others = asked.names.filter(({ type }) => !KINDS.includes(type)).map(({ value }) => value);
  return [
    ...(isNamed ? [] : [`The common name '${asked.commonName}' is neither a host name nor the organisation.`]),
    ...[...outside].map((name) => `${name} is not covered by the domains of the standing authorisation.`),
    ...ended.map((name) => `${name} is not below a domain that the company has confirmed now.`),
    ...others.map((name) => `The alternative name '${name}' is neither a host name, a mailbox nor an OFTP ID.`),
    ...ids
      .filter((id) => !oftpIds.includes(id) || !facts.oftpIds.includes(id))
      .map((id) => `${id} is not an OFTP ID of the standing authorisation.`),
  ];
}

function ceilingDifferences(row: StandingRow, { netCents }: AskedUnder, { use }: StandingFacts): string[] {
  const { certificates, cents } = leftOf(row, use);
  return [
    ...(certificates === 0
      ? [
          `The ceiling of the standing authorisation is reached: ${amountsText({ certificates: row.ceilingCertificates, cents: null })}.`,
        ]
      : []),
    ...(cents !== null && netCents > cents
      ? [`The order costs ${formatEuro(netCents)}, and ${formatEuro(cents)} of the standing authorisation are left.`]
      : []),
  ];
}

/** Returns the rules of a standing authorisation that an order does not meet, as sentences. Empty when it needs no decision of staff. */
export function whyOutside(row: StandingRow, asked: AskedUnder, facts: StandingFacts, now: Date): string[] {
  const state = stateOfStanding(row, now);
  const { usages } = listsOf(row);
  const others = asked.usage.filter((flag) => !usages.includes(flag)).map((flag) => STANDING_LABELS[flag]);
  return [
    ...(state === "Active" ? [] : [NOT_IN_FORCE[state]]),
    ...(asked.isEmailVerified ? [] : ["The email address of the account is not verified."]),
    ...(asked.isPlacedByStaff
      ? ["Our staff placed the order for the customer, and the standing authorisation covers what the customer orders."]
      : []),
    ...subjectDifferences(row, asked),
    ...nameDifferences(row, asked, facts),
    ...(others.length > 0 ? [`The standing authorisation does not cover the usage ${others.join(", ")}.`] : []),
    ...(asked.years > row.longestYears
      ? [`The validity of ${asked.years} years is longer than the ${row.longestYears} of the standing authorisation.`]
      : []),
    ...ceilingDifferences(row, asked, facts),
  ];
}

/** Returns until when a standing authorisation is in force, or when it ended, as a day. */
export const endDayOf = ({ endedAt, endsAt }: Pick<StandingRow, "endedAt" | "endsAt">): string =>
  formatDate(endedAt ?? new Date(Date.parse(endsAt) - 1).toISOString());
