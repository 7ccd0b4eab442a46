import { internationalForm } from "~/ca/names/international.server";
import { suffixOf } from "~/ca/names/special-names.server";
import { getConfig } from "~/lib/config.server";
import { type CompanyDomain } from "~db/repositories/company-domains.server";
import { isMailboxName, mailAddressesOf, METHOD_NAMES } from "./challenge";
import { fileUrlOf, recordNameOf } from "./proofs.server";

/** What has become of a domain: its challenge waits or has expired, it is confirmed, or the confirmation has ended. */
export const DOMAIN_STATES = ["Waiting", "Confirmed", "Expired", "Ended"] as const;

type DomainState = (typeof DOMAIN_STATES)[number];

const stateOf = ({ confirmedAt, validUntil, challengeEndsAt, endedAt }: CompanyDomain, now: Date): DomainState => {
  const timestamp = now.toISOString();
  if (endedAt !== null) return "Ended";
  if (confirmedAt !== null && (validUntil ?? "") > timestamp) return "Confirmed";
  return challengeEndsAt > timestamp ? "Waiting" : "Expired";
};

/** Returns a domain or mailbox as members of its company and staff see it, without its challenge. */
export const domainView = (row: CompanyDomain, now: Date) => ({
  id: row.id,
  name: row.name,
  /** The name with international letters, when it has any. */
  international: internationalForm(row.name),
  isMailbox: isMailboxName(row.name),
  state: stateOf(row, now),
  method: row.method,
  /** How it was confirmed, in words, or null. */
  confirmedBy: row.method && METHOD_NAMES[row.method],
  confirmedAt: row.confirmedAt,
  validUntil: row.validUntil,
  endedAt: row.endedAt,
  endedWhy: row.endedWhy,
  failedNights: row.failedNights,
  /** Why the last check failed, as a sentence, or null. */
  problem: row.problem,
  /** Until when it counts, or when it ended. */
  until: row.endedAt ?? row.validUntil,
  /** Why it ended, or why the last check failed, as a sentence, or null. */
  remark: row.endedWhy ?? row.problem,
});

export type DomainView = ReturnType<typeof domainView>;

/** Says how to type the name of the record where a DNS provider adds the registered domain to every name. */
function recordHint(name: string): string {
  const zone = suffixOf(name).domain ?? name;
  return `If your DNS provider adds ${zone} to each name, type ${recordNameOf(name).slice(0, -zone.length - 1)} only.`;
}

/** Returns the record or file that shows a value. A mailbox has neither. */
const proofsOf = (name: string, token: string) => ({
  record: isMailboxName(name) ? null : { name: recordNameOf(name), value: token, hint: recordHint(name) },
  file: isMailboxName(name) ? null : { url: fileUrlOf(name, token), content: token },
});

/** Returns what has confirmed a domain and must stay, because it is checked every night, or null when there is no such thing. */
function keptProof({ name, method, confirmedToken }: CompanyDomain) {
  if (confirmedToken === null || (method !== "dns" && method !== "http")) return null;
  const { record, file } = proofsOf(name, confirmedToken);
  return method === "dns" ? { record, file: null } : { record: null, file };
}

/** Returns what shows the control of a domain or mailbox, for those who manage the company. */
export function challengeView(row: CompanyDomain, now: Date) {
  return {
    endsAt: row.challengeEndsAt,
    isOpen: row.challengeEndsAt > now.toISOString(),
    /** Whether the values have confirmed the domain already, so that checking them again proves nothing new. */
    isMet: row.confirmedToken === row.token,
    ...proofsOf(row.name, row.token),
    kept: keptProof(row),
    addresses: mailAddressesOf(row.name),
    mailedTo: row.mailTokenHash === null ? null : row.mailedTo,
    /** The time of the last check, by the company or at night, or null. */
    checkedAt:
      [row.checkedAt, row.recheckedAt]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null,
  };
}

export type ChallengeView = ReturnType<typeof challengeView>;

const AT_ORDERS: Record<ReturnType<typeof getConfig>["names"]["domainControl"], string> = {
  off: "Orders do not ask for confirmed names at present.",
  mark: "A name in a CSR that is not confirmed is marked in the order, and our staff look into it.",
  require: "A CSR is accepted only when each of its names is confirmed.",
};

/** Returns what an order makes of names that the company has not confirmed, as a sentence. */
export const controlText = (): string => AT_ORDERS[getConfig().names.domainControl];
