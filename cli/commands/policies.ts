import { Command } from "commander";
import { say, warn } from "../output";
import { withDatabase } from "../with-database";

async function check(): Promise<void> {
  const { checkPolicies } = await import("~/domain/repository/policies/check.server");
  const { changedPoliciesNotice } = await import("~/domain/repository/policies/versions.service.server");
  const notice = await changedPoliciesNotice();
  const problems = [...checkPolicies(), ...(notice === null ? [] : [notice])];
  for (const problem of problems) warn(problem);
  if (problems.length > 0) process.exitCode = 1;
  else say("Every sentence of the policies has a source, and no text has changed since its version was published.");
}

async function sources(): Promise<void> {
  const { policyFacts } = await import("~/domain/repository/policies/facts.server");
  const { OTHER_SOURCES } = await import("~/domain/repository/policies/text-rules.policy");
  const { policyValues } = await import("~/domain/repository/policies/values.server");
  for (const [name, value] of Object.entries(policyValues())) say(`{{${name}}}: ${value}`);
  for (const [name, meaning] of Object.entries(OTHER_SOURCES)) say(`[[${name}]]: ${meaning}`);
  for (const [name, holds] of Object.entries(policyFacts())) say(`[[${name}]]: ${holds() ? "holds" : "does not hold"}`);
}

export function policiesCommand(): Command {
  const policies = new Command("policies")
    .description("the certificate policy, the practice statement and the subscriber agreement")
    .usage("COMMAND");
  policies
    .command("check")
    .description("check that each sentence has a source, and that no text has changed without a new version")
    .action(() => withDatabase(check));
  policies
    .command("sources")
    .description("list the placeholders with their values, and the sources that a sentence can name")
    .action(sources);
  return policies;
}
