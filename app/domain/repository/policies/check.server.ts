import { POLICIES } from "./catalogue";
import { policyFacts } from "./facts.server";
import { policyFile, readPolicySource } from "./source.server";
import { findTextProblems, problemLine } from "./text-rules.policy";
import { policyFigures, policyNames } from "./values.server";

/**
 * Checks that each sentence of the policies has a source that holds in this portal. Returns one line for each problem, with the file, the
 * line and the rule. Takes about a second, because facts about keys are tried out.
 */
export function checkPolicies(): string[] {
  const sources = POLICIES.map(({ name }) => ({ file: policyFile(name), markdown: readPolicySource(name) }));
  const known = {
    facts: new Map(Object.entries(policyFacts()).map(([name, holds]) => [name, holds()])),
    figures: new Set(Object.keys(policyFigures())),
    names: new Set(Object.keys(policyNames())),
  };
  return findTextProblems(sources, known).map(problemLine);
}
