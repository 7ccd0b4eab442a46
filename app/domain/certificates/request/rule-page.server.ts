import { RULE_GROUPS, type RuleCode } from "~/ca/csr/rules/catalogue";
import { CONTROL_RULES } from "~/ca/csr/rules/control";
import { allowedNames } from "~/lib/allowed-names.server";
import { type ExplainedRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { explainRule } from "./explained-rules.server";

/** A rule as the page of all rules shows it. */
export interface ListedRule extends ExplainedRule {
  requirement: string;
  /** Whether this portal does not apply the rule, as the configuration says (`names.allow`, `names.domainControl`). */
  isOff: boolean;
  /** Whether this portal only marks what breaks the rule, as the configuration says. */
  isMarked: boolean;
}

/** Returns all rules about CSRs in groups, with what each demands, for the page of all rules. */
export function listRules(): { title: string; rules: ListedRule[] }[] {
  const { domainControl } = getConfig().names;
  const off = new Set<string>(allowedNames().map((name) => `name-${name}`));
  if (domainControl === "off") for (const code of Object.keys(CONTROL_RULES)) off.add(code);
  return RULE_GROUPS.map(({ title, rules }) => ({
    title,
    rules: Object.entries(rules).map(([code, { requirement }]) => ({
      ...explainRule(code as RuleCode),
      requirement,
      isOff: off.has(code),
      isMarked: code in CONTROL_RULES && domainControl === "mark",
    })),
  }));
}
