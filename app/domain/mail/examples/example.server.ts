import { getEnv } from "~/lib/env.server";
import { type ComposedMail } from "../compose.server";
import { type MailKind } from "../kinds";
import { type MailStep } from "../parts";
import type * as templates from "../templates/index.server";

type Templates = typeof templates;
/** The names of the templates: functions that take data and nothing else. Other functions are helpers that several templates share. */
export type TemplateName = {
  [Name in keyof Templates]: Templates[Name] extends (data: never) => ComposedMail ? Name : never;
}[keyof Templates];

interface Example<Name extends TemplateName> {
  kind: MailKind;
  /** What distinguishes this example; "" when its kind has only one. */
  title: string;
  /** Set when the message goes to somebody whom the customer named, or to an address that the account has not confirmed. */
  reader?: "contact" | "unconfirmed";
  data: Parameters<Templates[Name]>[0];
}

/** Every template has at least one example. The compiler enforces it. */
export type Examples = { [Name in TemplateName]: readonly [Example<Name>, ...Example<Name>[]] };

/** Used in place of a token. */
export const TOKEN = "EXAMPLE";

export const NAME = "Anna Müller";
export const PERSON = { name: "Anna", username: "anna.mueller@example-parts.com" };
export const COMMON_NAME = "edi.example-parts.com";
export const AT = new Date("2026-11-20T09:30:00Z");
export const PREVIOUS = { id: 1001, commonName: COMMON_NAME, expiryDate: "2027-01-15T10:00:00Z" };
export const RENEWED = { certificateId: PREVIOUS.id, commonName: COMMON_NAME, expiryDate: PREVIOUS.expiryDate };

/** The steps of an order that waits for its contact. */
export const STEPS: readonly MailStep[] = [
  { title: "Ordered", state: "done", time: "20/11/2026", text: "by Anna Müller" },
  { title: "Email address confirmed", state: "done", time: "18/11/2026", text: PERSON.username },
  {
    title: "Contact authorised",
    state: "current",
    time: "",
    text: "Karl Meier has to follow the link in our message to karl.meier@example-parts.com. The message is on its way.",
  },
  {
    title: "Organisation checked",
    state: "open",
    time: "",
    text: "We compare your organisation with a public register.",
  },
  { title: "CSR compared", state: "open", time: "", text: "We compare the CSR with your company." },
  {
    title: "Issued",
    state: "open",
    time: "",
    text: "After our approval you receive a message with download and install instructions.",
  },
];

/** The steps of an order that ended without a certificate. */
export const endedSteps = (title: string, text: string): readonly MailStep[] => [
  ...STEPS.slice(0, 2),
  { title, state: "ended", time: "20/11/2026", text },
];

/** Returns the address of a page of this portal. */
export const linkTo = (path: string): string => getEnv().publicUrl + path;
