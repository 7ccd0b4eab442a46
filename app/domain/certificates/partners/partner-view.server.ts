import { fullCode } from "~/domain/codes/code-types";
import { type PartnerRow } from "~db/repositories/certificate-partners.server";
import { type PartnerAnswer } from "~db/tables";
import { type PartnerState } from "./partners-fields";

/** A partner of a certificate, as the company sees it. The address of an entity's owner is not part of it. */
export interface PartnerView {
  id: number;
  /** The given name, or that of the entity. "" when there is none. */
  name: string;
  email: string | null;
  /** The code of an entity of the register. */
  code: string | null;
  state: PartnerState;
  sentAt: string | null;
  openedAt: string | null;
  answeredAt: string | null;
  /** How often the partner was reminded, and when last. */
  reminders: number;
  remindedAt: string | null;
  question: string | null;
}

const ANSWERED: Record<PartnerAnswer, PartnerState> = {
  imported: "Imported",
  question: "Question",
  "not-ours": "Not theirs",
  stopped: "Wants no messages",
};

const stateOf = ({ answer, sentAt, openedAt }: PartnerRow, isStopped: boolean): PartnerState => {
  if (answer !== null) return ANSWERED[answer];
  if (isStopped) return "Wants no messages";
  return sentAt === null ? "Not sent" : openedAt === null ? "Sent" : "Opened";
};

/** Returns the code of the entity that a partner is, or null. */
export const codeOfPartner = ({ codeType, code, subcode }: PartnerRow): string | null =>
  codeType === null || code === null || subcode === null ? null : fullCode({ codeType, code, subcode });

/** Returns a partner in words, for messages and the audit trail: `Anna Brown (anna@example.com)` or `Example Ltd (AB1200)`. */
export function partnerWords(row: PartnerRow): string {
  const who = row.email ?? codeOfPartner(row) ?? "";
  const name = row.name || row.entityName;
  return name ? `${name} (${who})` : who;
}

/** Returns a partner as the company sees it. `isStopped` says whether the partner wants no more messages. */
export const toPartnerView = (row: PartnerRow, isStopped: boolean): PartnerView => ({
  id: row.id,
  name: row.name || (row.entityName ?? ""),
  email: row.email,
  code: codeOfPartner(row),
  state: stateOf(row, isStopped),
  sentAt: row.sentAt,
  openedAt: row.openedAt,
  answeredAt: row.answeredAt,
  reminders: row.reminders,
  remindedAt: row.remindedAt,
  question: row.question,
});

/** How many partners have confirmed, and whether the company can switch without losing one. */
export interface Readiness {
  confirmed: number;
  /** Those who have to confirm. Partners who say that the certificate is not for them do not. */
  expected: number;
  isSafe: boolean;
}

export function readinessOf(partners: readonly Pick<PartnerView, "state">[]): Readiness {
  const expected = partners.filter(({ state }) => state !== "Not theirs").length;
  const confirmed = partners.filter(({ state }) => state === "Imported").length;
  return { confirmed, expected, isSafe: expected > 0 && confirmed === expected };
}
