import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { Command } from "commander";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { say, warn } from "../output";
import { withDatabase } from "../with-database";

interface Flags {
  dryRun?: boolean;
  operator?: string;
}

async function importFile(file: string, { dryRun = false, operator }: Flags): Promise<void> {
  const { importRegister } = await import("~/domain/codes/register-file/import.service.server");
  const { rows, bad, existing, imported } = await importRegister({
    file,
    dryRun,
    actor: await operatorActor(operator),
    onProblem: (line, { field, message }) => say(`line ${line}${field ? `, ${field}` : ""}: ${message}`),
    onExisting: (line, name) => say(`line ${line}: the code '${name}' exists already and stays as it is`),
  });
  if (bad > 0) throw new Error(`Bad rows: ${bad} of ${rows}. Nothing was changed.`);
  if (dryRun) say(`Rows: ${rows}, to be imported: ${rows - existing}, existing: ${existing}. Nothing was changed.`);
  else say(`Rows: ${rows}, imported: ${imported}, existing: ${existing}.`);
}

async function exportFile(file: string | undefined, { operator }: Flags): Promise<void> {
  const { exportRegister } = await import("~/domain/codes/register-file/export.service.server");
  const { explainWriteError } = await import("~/lib/file-problem.server");
  const actor = await operatorActor(operator);
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
    .option(...OPERATOR_OR_LOGIN)
    .description("import an existing register: all rows or, when one of them is wrong, none")
    .action((file: string, flags: Flags) => withDatabase(() => importFile(file, flags)));
  codes
    .command("export")
    .argument("[file]", "a new file; standard output when omitted")
    .description("write the whole register as CSV, as 'codes import' reads it")
    .option(...OPERATOR_OR_LOGIN)
    .action((file: string | undefined, flags: Flags) => withDatabase(() => exportFile(file, flags)));
  return codes;
}
