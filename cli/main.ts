import { Command, CommanderError } from "commander";
import { caCommand } from "./commands/ca";
import { dbCommand } from "./commands/db";
import { jobsCommand } from "./commands/jobs";
import { mailCommand } from "./commands/mail";
import { setupCommand } from "./commands/setup";
import { fail } from "./output";

const program = new Command("portal")
  .description(
    "Command line for operators of the certificate portal. Settings come from the same variables as the portal's.",
  )
  .usage("COMMAND")
  .showHelpAfterError("(portal COMMAND --help explains a command)")
  .addCommand(setupCommand())
  .addCommand(dbCommand())
  .addCommand(caCommand())
  .addCommand(jobsCommand())
  .addCommand(mailCommand())
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) fail(error);
  else if (error.exitCode !== 0) process.exitCode = 1; // commander has said what is wrong
}
