import { CommanderError } from "commander";
import { fail } from "./output";
import { portalProgram } from "./program";

process.umask(0o077); // all new files, above all the SQLite file, are accessible only to their owner

process.env.DATABASE_TIMEOUT ||= "3600"; // a migration may take as long as it needs, because nobody waits for a response

// The reader of the output may stop early, for example `codes import FILE | head -3`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await portalProgram().exitOverride().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) fail(error);
  else if (error.exitCode !== 0) process.exitCode = 1; // commander has already printed the error
}
