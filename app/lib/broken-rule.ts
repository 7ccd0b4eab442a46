interface Link {
  text: string;
  url: string;
}

/** A rule of requests for certificates with the texts and links by which people can look it up. */
export interface ExplainedRule {
  /** The stable code of the rule, for example `name-internal`. */
  code: string;
  title: string;
  /** The path of the rule on the public page of all rules. */
  url: string;
  /** How to satisfy the rule, or "" when the message says so. */
  advice: string;
  /** The section of the practice statement, with the path of its heading on the public page. */
  section: Link;
  /** The standard behind the rule. */
  standard: Link;
}

/** A broken rule: `message` says what is wrong in this CSR and how to satisfy the rule. */
export interface BrokenRule extends ExplainedRule {
  message: string;
}

/** Returns several refusals as one message with a line for each. Pages show each line by itself. */
export const asLines = (messages: readonly string[]): string => messages.join("\n");
