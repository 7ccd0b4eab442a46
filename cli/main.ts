import { Command, CommanderError } from "commander";
import { alertsCommand } from "./commands/alerts";
import { auditCommand } from "./commands/audit";
import { backupCommand, restoreCommand } from "./commands/backup";
import { caCommand } from "./commands/ca";
import { codesCommand } from "./commands/codes";
import { dbCommand } from "./commands/db";
import { demoCommand } from "./commands/demo";
import { jobsCommand } from "./commands/jobs";
import { keysCommand } from "./commands/keys";
import { mailCommand } from "./commands/mail";
import { policiesCommand } from "./commands/policies";
import { securityEventsCommand } from "./commands/security-events";
import { setupCommand } from "./commands/setup";
import { signerCommand } from "./commands/signer";
import { usersCommand } from "./commands/users";
import { fail } from "./output";

process.umask(0o077); // all new files, above all the SQLite file, are accessible only to their owner

process.env.DATABASE_TIMEOUT ||= "3600"; // a migration may take as long as it needs, because nobody waits for a response

// The reader of the output may stop early, for example `codes import FILE | head -3`.
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
  .addCommand(alertsCommand())
  .addCommand(auditCommand())
  .addCommand(caCommand())
  .addCommand(codesCommand())
  .addCommand(demoCommand())
  .addCommand(jobsCommand())
  .addCommand(keysCommand())
  .addCommand(mailCommand())
  .addCommand(policiesCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(securityEventsCommand())
  .addCommand(signerCommand())
  .addCommand(usersCommand())
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) fail(error);
  else if (error.exitCode !== 0) process.exitCode = 1; // commander has already printed the error
}
