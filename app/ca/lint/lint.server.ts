/** Errors stop the issuing. Warnings are shown to staff, who decide. */
export type LintSeverity = "error" | "warning";

/** A named rule about one kind of certificate. */
export interface Lint<Subject> {
  /** A stable name, such as `serial-length`. */
  name: string;
  /** The standard or policy behind the rule, with its section. */
  source: string;
  severity: LintSeverity;
  /** Returns a whole sentence for each way in which the subject breaks the rule. */
  find: (subject: Subject) => readonly string[];
}

/** A broken rule. */
export interface LintFinding {
  lint: string;
  source: string;
  severity: LintSeverity;
  text: string;
}

/** Applies lints in their order. Returns a finding for each sentence of each broken rule. */
export const runLints = <Subject>(lints: readonly Lint<Subject>[], subject: Subject): LintFinding[] =>
  lints.flatMap(({ name, source, severity, find }) =>
    find(subject).map((text) => ({ lint: name, source, severity, text })),
  );

/** Returns the sentence of a finding, followed by the lint's name and source in brackets. */
export const lintText = ({ text, lint, source }: LintFinding): string => `${text} (${lint}, ${source})`;

/** Returns an array with the sentence when the rule is broken, otherwise an empty array. */
export const sayIf = (isBroken: boolean, sentence: string): string[] => (isBroken ? [sentence] : []);

/** The section of the certification practice statement that has the profiles of certificates. */
export const PROFILE_SECTION = "practice statement §7.1";
