import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { Command } from "commander";
import { say, warn } from "../output";
import { withDatabase } from "../with-database";

async function importFile(file: string, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  const { importRegister } = await import("~/domain/codes/register-file/import.service.server");
  const { rows, bad, existing, imported } = await importRegister({
    file,
    dryRun,
    actor: systemActor("command line"),
    onProblem: (line, { field, message }) => say(`line ${line}${field ? `, ${field}` : ""}: ${message}`),
    onExisting: (line, name) => say(`line ${line}: the code '${name}' exists already and stays as it is`),
  });
  if (bad > 0) throw new Error(`Bad rows: ${bad} of ${rows}. Nothing was changed.`);
  if (dryRun) say(`Rows: ${rows}, to be imported: ${rows - existing}, existing: ${existing}. Nothing was changed.`);
  else say(`Rows: ${rows}, imported: ${imported}, existing: ${existing}.`);
}

async function exportFile(file: string | undefined): Promise<void> {
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  const { exportRegister } = await import("~/domain/codes/register-file/export.service.server");
  const { explainWriteError } = await import("~/lib/file-problem.server");
  const actor = systemActor("command line");
  if (file === undefined) return warn(`Codes: ${await exportRegister(process.stdout, actor)}.`);
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 });
  const written = Promise.all([exportRegister(stream, actor).finally(() => stream.end()), finished(stream)]);
  const [count] = await written.catch((error: unknown) => {
    throw explainWriteError(error, file);
  });
  say(`Codes: ${count}.`);
}

export function codesCommand(): Command {
  const codes = new Command("codes").description("the code register").usage("COMMAND");
  codes
    .command("import")
    .argument("<file>", "CSV file; its columns are described in docs/operations.md")
    .option("--dry-run", "report every bad row, change nothing")
    .description("import an existing register: all rows or, when one of them is wrong, none")
    .action((file: string, flags: { dryRun?: boolean }) => withDatabase(() => importFile(file, flags)));
  codes
    .command("export")
    .argument("[file]", "a new file; standard output when omitted")
    .description("write the whole register as CSV, as 'codes import' reads it")
    .action((file?: string) => withDatabase(() => exportFile(file)));
  return codes;
}
