import { Command } from "commander";
import { type KeyImportOptions, type KeyImportResult } from "~/domain/keys/import.service.server";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { timestamp, say, table } from "../output";
import { withDatabase } from "../with-database";

/** Limits the messages, because a file with other contents would fill the screen. */
const MAX_REPORTED = 20;

interface ImportFlags {
  operator?: string;
  name?: string;
  dryRun?: boolean;
}

type Imports = (options: Omit<KeyImportOptions, "source">) => Promise<KeyImportResult>;

async function report(imports: Imports, { name, dryRun = false, operator }: ImportFlags): Promise<void> {
  let reported = 0;
  const result = await imports({
    name,
    dryRun,
    actor: await operatorActor(operator),
    onProblem: (line, problem) => {
      if ((reported += 1) <= MAX_REPORTED) say(`line ${line}: ${problem}`);
    },
    onProgress: (lines) => say(`${lines} lines`),
  });
  const { bad, keys, known, added } = result;
  if (reported > MAX_REPORTED) say(`… and ${reported - MAX_REPORTED} more`);
  if (bad > 0) throw new Error(`Bad lines: ${bad}, keys: ${keys}. Nothing was changed.`);
  if (dryRun) say(`Keys: ${keys}, listed already: ${known}. Nothing was changed.`);
  else say(`Keys: ${keys}, new: ${added}, listed as '${result.name}'.`);
}

async function importFile(file: string, flags: ImportFlags): Promise<void> {
  const { importKeyList } = await import("~/domain/keys/import.service.server");
  const { textSource } = await import("~/domain/keys/key-file.server");
  await report((options) => importKeyList({ ...options, source: textSource(file) }), flags);
}

async function fetchList(place: string, flags: ImportFlags): Promise<void> {
  const { fetchKeyList } = await import("~/domain/keys/fetch.service.server");
  await report((options) => fetchKeyList({ ...options, place }), flags);
}

async function list(): Promise<void> {
  const { getDb } = await import("~db/connection.server");
  const { listKeyLists } = await import("~db/repositories/listed-keys.server");
  const lists = await listKeyLists(getDb());
  if (lists.length === 0) return say("No keys are listed.");
  const rows = lists.map(({ name, keyCount, updatedAt }) => [name, String(keyCount), timestamp(updatedAt)]);
  say(table(["LIST", "KEYS", "LAST IMPORT"], rows));
}

async function check(): Promise<void> {
  const { checkStoredKeys } = await import("~/domain/keys/check.service.server");
  const { checked, bad } = await checkStoredKeys(({ id, status, commonName, message }) =>
    say(`certificate ${id} (${status}, ${commonName}): ${message}`),
  );
  if (bad > 0) throw new Error(`Bad keys: ${bad} of ${checked}. Revoke or reject them.`);
  say(`Keys: ${checked}, none is bad.`);
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("known bad keys, which are refused in requests").usage("COMMAND");
  keys
    .command("import")
    .argument("<file>", "one fingerprint in a line; described in docs/operations.md")
    .option("--name <name>", "name of the list; the file's name when omitted")
    .option("--dry-run", "report every bad line, change nothing")
    .option(...OPERATOR_OR_LOGIN)
    .description("list the keys of a file: all of it or, when a line is wrong, nothing")
    .action((file: string, flags: ImportFlags) => withDatabase(() => importFile(file, flags)));
  keys
    .command("fetch")
    .argument(
      "<file or url>",
      "badkeysdata.json or blocklist.dat of badkeys, or a file as 'import' takes it; also as .xz or .gz",
    )
    .option("--name <name>", "name of the list; the file's name when omitted, and for badkeys that of each subset")
    .option("--dry-run", "report every bad line, change nothing")
    .option(...OPERATOR_OR_LOGIN)
    .description("fetch a list of known bad keys from a file or an https address, and import it")
    .action((place: string, flags: ImportFlags) => withDatabase(() => fetchList(place, flags)));
  keys
    .command("list")
    .description("show the lists and how many keys each has")
    .action(() => withDatabase(list));
  keys
    .command("check")
    .description("apply today's rules and lists to the keys of open orders and certificates in force")
    .action(() => withDatabase(check));
  return keys;
}
