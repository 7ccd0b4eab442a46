import { type PartnerAnswer } from "~db/tables";

/** The form that adds partners, and the one that publishes the certificate to them. */
export const PARTNERS_FORM = "partners";
export const PUBLISH_FORM = "publish";

/** The form that takes over the partners of another certificate, and the one about renewals. */
export const COPY_FORM = "copy";
export const FOLLOW_FORM = "follow";

/** The fields of the forms with their labels. */
export const PARTNERS_LABELS = { partners: "Partners" } as const;
export const PUBLISH_LABELS = { cutOverOn: "Planned switch" } as const;
export const COPY_LABELS = { from: "Certificate" } as const;
export const FOLLOW_LABELS = { switchDays: "Days until the switch" } as const;

/** The most partners of a certificate, and the longest name of one, in characters. */
export const MOST_PARTNERS = 100;
export const PARTNER_NAME_LIMIT = 100;

/** The longest list of partners, in characters. */
export const PARTNERS_TEXT_LIMIT = 10_000;

/** The most days between the issue of a renewal and the planned switch. */
export const MOST_SWITCH_DAYS = 90;

/** A partner who does not answer is reminded after this many days, and after as many again. */
export const REMINDED_AFTER_DAYS = 7;
export const MOST_REMINDERS = 2;

/** The form on the page of a partner, and the longest question of a partner, in characters. */
export const ANSWER_FORM = "answer";
export const QUESTION_LIMIT = 2000;

/** For how many days after the end of a certificate its partners are kept. */
export const PARTNERS_KEPT_DAYS = 365;

/** How far a partner can have come. */
export const PARTNER_STATES = [
  "Not sent",
  "Sent",
  "Opened",
  "Imported",
  "Question",
  "Not theirs",
  "Wants no messages",
] as const;

/** How far a partner has come. */
export type PartnerState = (typeof PARTNER_STATES)[number];

/** What a partner answers, for pages. */
export type PartnerReply = PartnerAnswer;
