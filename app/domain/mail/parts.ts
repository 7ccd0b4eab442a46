/** One of the steps of an order, as its page shows them. */
export interface MailStep {
  title: string;
  /** `current` is the first step that is not done. `ended` is one with which the order ended. */
  state: "done" | "current" | "open" | "ended";
  /** When it was done, or "". */
  time: string;
  /** What was done, or what the step waits for, or "". */
  text: string;
}

/** A file that a link of the message leads to, with what it is for. */
export interface MailFile {
  label: string;
  url: string;
  text: string;
}

/** What a message says, in the order in which it says it. All texts are plain and stand on one line. */
export interface MailParts {
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Pairs of label and value. */
  facts: readonly (readonly [label: string, value: string])[];
  /** How far an order has come. Empty for messages that are not about one. */
  steps: readonly MailStep[];
  /** What the reader should do, in sentences. */
  next: string;
  action: { label: string; url: string };
  /** Files that the reader can download directly. Empty for most messages. */
  files: readonly MailFile[];
  /** Paragraphs below the action. */
  after: readonly string[];
  /** The address where the reader can stop further messages. */
  stopUrl: string | undefined;
  sender: string;
  footer: readonly string[];
}

export const STEPS_TITLE = "How far the order is";
export const NEXT_TITLE = "What to do next";
export const FILES_TITLE = "The files";

/** The label of the link by which a contact can stop messages. */
export const STOP_LABEL = "Not me, send nothing more";
export const STOP_REASON = "You receive this message because a customer named this address.";

/** The word that a step begins with, so that its state is told by more than a sign or colour. */
export const STATE_WORDS: Record<MailStep["state"], string> = {
  done: "Done",
  current: "Now",
  open: "To come",
  ended: "Ended",
};
