import { REQUEST_RULES, type RequestRefusal, type RuleCode } from "~/ca/csr/rules";
import { type BrokenRule, type ExplainedRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";

/** Returns the rule with this code with its links. */
export function explainRule(code: RuleCode): ExplainedRule {
  const { title, advice, section, standard } = REQUEST_RULES[code];
  const url = `${paths.policy("certification-practice-statement")}#section-${section}`;
  return { code, title, advice, section: { text: `Practice statement §${section}`, url }, standard };
}

/** Returns the refusals of a CSR with the links of their rules. */
export const explainRefusals = (refusals: readonly RequestRefusal[]): BrokenRule[] =>
  refusals.map(({ code, message }) => ({ ...explainRule(code), message }));
