import { composeMail, type ComposedMail } from "../compose.server";

export interface StandingMail {
  /** The first name of the owner. */
  name: string;
  company: string;
  /** The number of the standing authorisation. */
  number: number;
  organisation: string;
  purchaseOrderNumber: string;
  /** The last day, or the day on which it ended, in words. */
  endDay: string;
  /** The page of the standing authorisation. */
  url: string;
}

const factsOf = ({ company, number, organisation, purchaseOrderNumber }: StandingMail): [string, string][] => [
  ["Company", company],
  ["Standing authorisation", String(number)],
  ["Organisation in certificates", organisation],
  ["Purchase order number", purchaseOrderNumber],
];

const openIt = ({ url }: StandingMail) => ({ label: "Open the standing authorisation", url });

/** Tells the owners of a company that staff have approved a standing authorisation. */
export const standingApprovedMail = (data: StandingMail): ComposedMail =>
  composeMail({
    subject: `Standing authorisation ${data.number} is in force`,
    greeting: data.name,
    paragraphs: [
      `We have approved the standing authorisation of ${data.company}. Certificates that are ordered within it are issued without a further check by our staff.`,
    ],
    facts: [...factsOf(data), ["In force until", data.endDay]],
    next: "If your company has not asked for it, end it on its page and contact us.",
    action: openIt(data),
  });

export interface StandingEndedMail extends StandingMail {
  /** Why, as it was typed or as a sentence. */
  why: string;
  /** Whether it was in force before. */
  wasApproved: boolean;
}

/** Tells the owners of a company that a standing authorisation has ended or was not approved. */
export const standingEndedMail = (data: StandingEndedMail): ComposedMail =>
  composeMail({
    subject: `Standing authorisation ${data.number} ${data.wasApproved ? "has ended" : "was not approved"}`,
    greeting: data.name,
    paragraphs: [
      data.wasApproved
        ? "Orders under this standing authorisation wait for our checks from now on, like any other order."
        : "The standing authorisation that your company asked for is not in force.",
    ],
    facts: [...factsOf(data), ["Reason", data.why]],
    next: data.wasApproved
      ? "Certificates that were issued stay valid. An owner of the company can ask for a new standing authorisation."
      : "An owner of the company can ask for another one.",
    action: openIt(data),
  });

export interface StandingReminderMail extends StandingMail {
  daysLeft: number;
}

/** Reminds the owners of a company that a standing authorisation ends soon. */
export const standingReminderMail = (data: StandingReminderMail): ComposedMail =>
  composeMail({
    subject: `Standing authorisation ${data.number} ends in ${data.daysLeft} ${data.daysLeft === 1 ? "day" : "days"}`,
    greeting: data.name,
    paragraphs: ["After that day, orders under it wait for our checks, like any other order."],
    facts: [...factsOf(data), ["Last day", data.endDay]],
    next: "To go on, ask for a new standing authorisation in time. It is based on an order whose organisation we have checked within the last 13 months.",
    action: openIt(data),
  });
