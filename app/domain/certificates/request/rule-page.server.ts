import { RULE_GROUPS, type RuleCode } from "~/ca/csr/rules/catalogue";
import { allowedNames } from "~/lib/allowed-names.server";
import { type ExplainedRule } from "~/lib/broken-rule";
import { explainRule } from "./explained-rules.server";

/** A rule as the page of all rules shows it. */
export interface ListedRule extends ExplainedRule {
  requirement: string;
  /** Whether this portal certifies names of the class that the rule refuses (`names.allow`). */
  isOff: boolean;
}

/** Returns all rules about CSRs in groups, with what each demands, for the page of all rules. */
export function listRules(): { title: string; rules: ListedRule[] }[] {
  const off = new Set<string>(allowedNames().map((name) => `name-${name}`));
  return RULE_GROUPS.map(({ title, rules }) => ({
    title,
    rules: Object.entries(rules).map(([code, { requirement }]) => ({
      ...explainRule(code as RuleCode),
      requirement,
      isOff: off.has(code),
    })),
  }));
}
