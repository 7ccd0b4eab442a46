import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { FileProblem } from "~/lib/file-problem.server";
import { hidesCharacters } from "~/lib/plain-text.server";
import { getDb, type Trx } from "~db/connection.server";
import { countListed, insertListedKeys, saveKeyList } from "~db/repositories/listed-keys.server";
import { inTransaction } from "~db/transaction.server";
import { type KeySource } from "./key-file.server";

/** How many keys are held in memory and stored in one transaction. */
const BATCH = 20_000;
/** How many keys one statement stores. SQLite allows 32766 parameters. */
const STATEMENT = 5_000;
const PROGRESS = 100_000;
const LONGEST_NAME = 200;

export interface KeyImportOptions {
  source: KeySource;
  /** The name of the list for keys that do not name one. The default is the source's name. */
  name?: string | undefined;
  dryRun: boolean;
  actor: Actor;
  onProblem: (line: number, problem: string) => void;
  /** Called from time to time with the number of lines read so far. */
  onProgress: (lines: number) => void;
}

export interface KeyImportResult {
  name: string;
  lines: number;
  keys: number;
  /** Lines that are not a key, a comment or blank. With one or more of them, nothing is imported. */
  bad: number;
  /** Keys that were listed before. Counted only in a dry run. */
  known: number;
  added: number;
}

type Read = Pick<KeyImportResult, "lines" | "keys" | "bad">;

/** Keys of one list, sorted and without duplicates. */
interface Batch {
  list: string;
  fingerprints: Buffer[];
}

/** Reads the source and passes its keys on in batches. Returns the numbers of lines, keys and bad lines. */
async function readBatches(
  { source, onProblem, onProgress }: Pick<KeyImportOptions, "source" | "onProblem" | "onProgress">,
  name: string,
  onBatch: (batch: Batch) => Promise<void>,
): Promise<Read> {
  const read: Read = { lines: 0, keys: 0, bad: 0 };
  let lists = new Map<string, Map<string, Buffer>>();
  let size = 0;
  const flush = async () => {
    for (const [list, keys] of lists)
      await onBatch({ list, fingerprints: [...keys.values()].sort((a, b) => Buffer.compare(a, b)) });
    lists = new Map();
    size = 0;
  };
  for await (const { line, lines } of source.read()) {
    for (const [index, content] of lines.entries()) {
      const number = line + index;
      read.lines = number;
      if (number % PROGRESS === 0) onProgress(number);
      if (content === null) continue;
      if ("problem" in content) {
        read.bad += 1;
        onProblem(number, content.problem);
        continue;
      }
      read.keys += 1;
      size += 1;
      const list = content.list ?? name;
      const keys = lists.get(list) ?? new Map<string, Buffer>();
      lists.set(list, keys.set(content.fingerprint.toString("latin1"), content.fingerprint));
    }
    if (size >= BATCH) await flush();
  }
  await flush();
  return read;
}

const chunksOf = (fingerprints: readonly Buffer[]): Buffer[][] =>
  Array.from({ length: Math.ceil(fingerprints.length / STATEMENT) }, (_, index) =>
    fingerprints.slice(index * STATEMENT, (index + 1) * STATEMENT),
  );

async function countKnown(fingerprints: readonly Buffer[]): Promise<number> {
  let known = 0;
  for (const chunk of chunksOf(fingerprints)) known += await countListed(getDb(), chunk);
  return known;
}

/** Only Debian's fingerprints have this length. */
const DEBIAN_BYTES = 10;

async function storeBatch(trx: Trx, { list, fingerprints }: Batch, source: KeySource, now: Date): Promise<number> {
  const hasDebianKeys = source.debianLists.has(list) || fingerprints.some(({ length }) => length === DEBIAN_BYTES);
  const listId = await saveKeyList(trx, { name: list, hasDebianKeys }, now);
  let added = 0;
  for (const chunk of chunksOf(fingerprints)) added += await insertListedKeys(trx, listId, chunk);
  return added;
}

const silent = () => undefined;

/** Stores the keys in batches, each in its own transaction. After an interrupted import, importing the same list again stores the rest. */
async function store(options: KeyImportOptions, name: string, checked: Read, now: Date): Promise<number> {
  let added = 0;
  const read = await readBatches({ ...options, onProblem: silent }, name, async (batch) => {
    added += await inTransaction((trx) => storeBatch(trx, batch, options.source, now));
  });
  if (read.keys !== checked.keys)
    throw new FileProblem(`${options.source.label} was changed while it was read: import it again.`);
  const message = `Known bad keys imported from a list of ${checked.keys}: ${added} new.`;
  await inTransaction((trx) =>
    recordAudit(trx, { actor: options.actor, event: "keys.imported", message, reference: name }, now),
  );
  return added;
}

/**
 * Imports a list of known bad keys; docs/operations.md describes the format. The list is read twice. In a dry run, or when a line is bad,
 * nothing is stored. Keys that are listed already are left alone, so a second run changes nothing. Throws a FileProblem when the file
 * cannot be read, lists no keys or changes during the import, or when the list's name is not allowed.
 */
export async function importKeyList(options: KeyImportOptions, now = new Date()): Promise<KeyImportResult> {
  const name = (options.name ?? options.source.name).slice(0, LONGEST_NAME);
  if (name.trim() === "" || hidesCharacters(name))
    throw new FileProblem("The list's name must be visible characters in one line: give another one by --name.");
  let known = 0;
  const read = await readBatches(
    { ...options, onProgress: options.dryRun ? options.onProgress : silent },
    name,
    async ({ fingerprints }) => {
      if (options.dryRun) known += await countKnown(fingerprints);
    },
  );
  if (read.keys + read.bad === 0) throw new FileProblem(`${options.source.label} lists no keys.`);
  const isImported = !options.dryRun && read.bad === 0;
  return { name, ...read, known, added: isImported ? await store(options, name, read, now) : 0 };
}
