import { type CsrReadCode } from "~/ca/csr/read.server";
import { REQUEST_RULES, type RequestRefusal, type RuleCode } from "~/ca/csr/rules/catalogue";
import { type BrokenRule, type ExplainedRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";

/** Returns the rule with this code with its links. */
export function explainRule(code: RuleCode): ExplainedRule {
  const { title, advice, section, standard } = REQUEST_RULES[code];
  const url = `${paths.policy("certification-practice-statement")}#section-${section}`;
  const links = { section: { text: `Practice statement §${section}`, url }, standard };
  return { code, title, url: paths.csrRules(code), advice, ...links };
}

/** Returns a rule with what is wrong in this case. `message` also says what to do. */
export const explainedBreach = (code: RuleCode, message: string): BrokenRule => ({ ...explainRule(code), message });

/** Returns the refusals of a CSR with the links of their rules. */
export const explainRefusals = (refusals: readonly Omit<RequestRefusal, "sentence">[]): BrokenRule[] =>
  refusals.map(({ code, message }) => explainedBreach(code, message));

/** The rules that a CSR breaks which cannot be read. */
export const READING_CODES: Readonly<Record<CsrReadCode, RuleCode>> = {
  empty: "csr-missing",
  "empty-file": "csr-missing",
  "too-large": "csr-size",
  "private-key": "csr-private-key",
  certificate: "csr-encoding",
  label: "csr-encoding",
  several: "csr-encoding",
  truncated: "csr-encoding",
  trailing: "csr-structure",
  "not-a-csr": "csr-structure",
  malformed: "csr-structure",
  repeated: "csr-structure",
  "too-many": "csr-structure",
  "ssid-conflict": "csr-ssid",
};
