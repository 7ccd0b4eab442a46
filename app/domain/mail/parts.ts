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
  /** Where the reader can stop such messages. */
  stop: MailStop | undefined;
  sender: string;
  footer: readonly string[];
}

export const STEPS_TITLE = "How far the order is";
export const NEXT_TITLE = "What to do next";
export const FILES_TITLE = "The files";

/** How a reader stops messages: why they get them, and the link. Mail programs show a button for it. */
export interface MailStop {
  reason: string;
  label: string;
  url: string;
}

/** Returns how a contact stops messages. */
export const contactStop = (url: string): MailStop => ({
  reason: "You receive this message because a customer named this address.",
  label: "Not me, send nothing more",
  url,
});

/** The word that a step begins with, so that its state is told by more than a sign or colour. */
export const STATE_WORDS: Record<MailStep["state"], string> = {
  done: "Done",
  current: "Now",
  open: "To come",
  ended: "Ended",
};
