import { type MailStep } from "~/domain/mail/parts";
import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type OrderRow } from "~db/repositories/orders.server";
import { type OrderStatus } from "~db/tables";

export const STEP_STATES = ["done", "current", "open", "ended"] as const;

/** One of the steps of an order on its way. */
export interface ProgressStep {
  /** The stable name of the step. */
  name: "ordered" | "email" | "contact" | "organisation" | "csr" | "issued" | "invoiced" | "paid";
  title: string;
  /** `current` is the first step that is not done. `ended` is one with which the order ended. */
  state: (typeof STEP_STATES)[number];
  /** When it was done, an ISO timestamp, or null. */
  at: string | null;
  /** What was done, or what the step waits for, in sentences. */
  text: string;
}

/** A step as far as its facts say: done at a time, or not. */
export type StepFacts = Omit<ProgressStep, "state"> & { isDone: boolean };

/** Returns the steps with their states: the first one that is not done is the current one. */
export function withStates(facts: readonly StepFacts[]): ProgressStep[] {
  const current = facts.findIndex(({ isDone }) => !isDone);
  return facts.map(({ isDone, ...step }, index) => ({
    ...step,
    state: isDone ? "done" : index === current ? "current" : "open",
  }));
}

/** Returns steps as messages list them, with the day on which each was done. */
export const mailSteps = (steps: readonly ProgressStep[]): MailStep[] =>
  steps.map(({ title, state, at, text }) => ({
    title,
    state,
    time: state === "open" || state === "current" || at === null ? "" : formatDate(at),
    text,
  }));

/** What an order waits for at each step that is not done, in a few words. */
const WAITS_FOR = {
  email: "Waits for your email address",
  contact: "Waits for your contact",
  organisation: "We check the organisation",
  csr: "We compare the CSR",
  issued: "Waits for approval",
  invoiced: "Invoice follows",
  paid: "Waits for payment",
} as const satisfies Partial<Record<ProgressStep["name"], string>>;

/** What says how far a certificate order has come. */
interface CertificateFacts {
  certificateStatus: string;
  contactAnswer: "authorised" | "refused" | null;
  organisationCheckedAt: string | null;
  csrCheckedAt: string | null;
  emailVerifiedAt: string | null;
  /** Whether the certificate is recorded and about to be signed. */
  isIssuing: boolean;
}

/** Returns what a certificate order waits for in a few words, or the status of its certificate. */
export function certificateProgressText(facts: CertificateFacts): string {
  if (facts.certificateStatus === "RequestRevoke") return "To be revoked";
  if (facts.certificateStatus !== "Pending") return facts.certificateStatus;
  if (facts.isIssuing) return "Being issued";
  if (facts.contactAnswer === "refused") return "Refused by your contact";
  if (facts.emailVerifiedAt === null) return WAITS_FOR.email;
  if (facts.contactAnswer === null) return WAITS_FOR.contact;
  if (facts.organisationCheckedAt === null) return WAITS_FOR.organisation;
  return facts.csrCheckedAt === null ? WAITS_FOR.csr : WAITS_FOR.issued;
}

type Payment = Pick<OrderRow, "status" | "totalCents" | "paymentCents" | "paymentDate" | "invoiceDate">;

/** Returns what is to pay for an order, or when it was paid, as a sentence. Returns null for an order without either. */
export function paymentText({ status, totalCents, paymentCents, ...order }: Payment): string | null {
  const on = (day: string | null) => (day === null ? "" : ` on ${formatDate(day)}`);
  if (status === "Paid" && totalCents > 0) return `Paid${on(order.paymentDate)}.`;
  if (status !== "Invoiced") return null;
  return `Invoiced${on(order.invoiceDate)}, ${formatEuro(totalCents - (paymentCents ?? 0))} is not paid yet.`;
}

/** Returns what an order of ID codes waits for in a few words, or its status. */
export const codeProgressText = (status: OrderStatus): string =>
  status === "Open" ? WAITS_FOR.invoiced : status === "Invoiced" ? WAITS_FOR.paid : status;
