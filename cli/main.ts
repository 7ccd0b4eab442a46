import { Command, CommanderError } from "commander";
import { auditCommand } from "./commands/audit";
import { backupCommand, restoreCommand } from "./commands/backup";
import { caCommand } from "./commands/ca";
import { codesCommand } from "./commands/codes";
import { dbCommand } from "./commands/db";
import { demoCommand } from "./commands/demo";
import { jobsCommand } from "./commands/jobs";
import { keysCommand } from "./commands/keys";
import { mailCommand } from "./commands/mail";
import { setupCommand } from "./commands/setup";
import { usersCommand } from "./commands/users";
import { fail } from "./output";

process.umask(0o077); // whatever is made, the SQLite file above all, is its owner's alone

process.env.DATABASE_TIMEOUT ||= "3600"; // nobody waits for an answer: a migration takes as long as it takes

// Whoever read the output has enough of it: `codes import FILE | head -3`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const program = new Command("portal")
  .description(
    "Command line for operators of the certificate portal. Settings come from the same variables as the portal's.",
  )
  .usage("COMMAND")
  .showHelpAfterError("(portal COMMAND --help explains a command)")
  .addCommand(setupCommand())
  .addCommand(dbCommand())
  .addCommand(auditCommand())
  .addCommand(caCommand())
  .addCommand(codesCommand())
  .addCommand(demoCommand())
  .addCommand(jobsCommand())
  .addCommand(keysCommand())
  .addCommand(mailCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(usersCommand())
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) fail(error);
  else if (error.exitCode !== 0) process.exitCode = 1; // commander has said what is wrong
}
