import { Command } from "commander";
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

/** Returns the command line with all its commands. */
export const portalProgram = (): Command =>
  new Command("portal")
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
    .addCommand(usersCommand());
