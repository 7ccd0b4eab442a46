import { type Command } from "commander";
import { describe, expect, test } from "vitest";
import { portalProgram } from "../../cli/program";

/** Commands that do something themselves although they have commands below them. */
const WITH_COMMANDS = ["alerts"];

/** Returns every command that does something, with its full name. */
function commandsOf(command: Command, path: readonly string[] = []): [string, Command][] {
  const name = path.join(" ");
  const below = command.commands.flatMap((one) => commandsOf(one, [...path, one.name()]));
  return below.length === 0 || WITH_COMMANDS.includes(name) ? [[name, command], ...below] : below;
}

const COMMANDS = commandsOf(portalProgram());

/** Commands that change nothing, and those that the portal or its supervisor runs rather than a person. */
const WITHOUT_OPERATOR = [
  "setup",
  "db migrate",
  "alerts",
  "alerts rules",
  "audit verify",
  "audit checkpoint",
  "audit public-keys",
  "ca status",
  "ca export-list",
  "ca revocation-step",
  "ca ceremony", // its plan names the operator and the witnesses
  "demo",
  "jobs list",
  "keys list",
  "keys check",
  "mail list",
  "policies check",
  "policies sources",
  "security-events",
  "signer serve",
  "signer status",
  "signer verify",
  "signer factors",
  "signer standing",
  "users list",
];

/** Commands that do what cannot be undone. A backup is restored into an empty place only, and a ceremony asks at each step. */
const ASKING = [
  "ca import-list",
  "ca pass-over-numbers",
  "ca install",
  "ca take-over",
  "ca end-renewals",
  "ca compromise",
  "signer adopt",
  "signer accept",
  "signer remove",
  "users erase",
];

const named = (wanted: (command: Command) => boolean): string[] =>
  COMMANDS.filter(([, command]) => wanted(command)).map(([name]) => name);
const hasOption = (long: string) => (command: Command) => command.options.some((option) => option.long === long);

describe("the commands of operators", () => {
  test.each(COMMANDS)(
    "`%s --help` says what the command does, and what each argument and option is",
    (name, command) => {
      const help = command.helpInformation();
      expect(help).toMatch(/^Usage: /);
      expect(command.description()).not.toBe("");
      for (const { description, flags } of command.options) expect([name, flags, description]).not.toContain("");
      for (const argument of command.registeredArguments)
        expect([name, argument.name(), argument.description]).not.toContain("");
    },
  );

  test("[AUD-02] those that change something name their operator", () => {
    expect(named((command) => !hasOption("--operator")(command)).sort()).toEqual([...WITHOUT_OPERATOR].sort());
  });

  test("those that cannot be undone ask before", () => {
    expect(named(hasOption("--yes")).sort()).toEqual([...ASKING].sort());
  });
});
