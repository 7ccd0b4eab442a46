import { Command, Option } from "commander";
import { type ArchiveLock, type ArchiveOpening } from "~/domain/backup/locks.server";
import { askSecret } from "../ask";
import { operatorActor, OPERATOR } from "../operator";
import { say, timestamp, warn } from "../output";

const collect = (value: string, values: string[]) => [...values, value];

interface BackupFlags {
  recipient: string[];
  recipientsFile: string[];
  passphrase?: true;
  passphraseFile?: string;
  operator: string;
}

const NO_LOCK =
  "A backup is encrypted. Name who can read it with --recipient age1… (make a key pair with 'age-keygen', on another machine), " +
  "or, as the last resort, use --passphrase or --passphrase-file FILE.";

/** Returns the passphrase of a file or the terminal, or null when none is wanted. It is asked for twice for a new archive. */
async function passphraseOf(
  { passphrase, passphraseFile }: Pick<BackupFlags, "passphrase" | "passphraseFile">,
  isNew: boolean,
) {
  const { readPassphrase } = await import("~/domain/backup/locks.server");
  if (passphraseFile !== undefined) return readPassphrase(passphraseFile);
  if (!passphrase) return null;
  const typed = await askSecret("Passphrase of the backup");
  if (isNew && typed !== (await askSecret("Again"))) throw new Error("The two passphrases differ.");
  return typed;
}

async function lockOf(flags: BackupFlags): Promise<ArchiveLock> {
  const { readKeyLines, requireGoodPassphrase } = await import("~/domain/backup/locks.server");
  const recipients = [...flags.recipient, ...(await Promise.all(flags.recipientsFile.map(readKeyLines))).flat()];
  const passphrase = await passphraseOf(flags, true);
  if (passphrase === null && recipients.length === 0) throw new Error(NO_LOCK);
  if (passphrase === null) return { recipients };
  if (recipients.length > 0) throw new Error("A backup is encrypted for recipients or with a passphrase, not both.");
  requireGoodPassphrase(passphrase);
  return { passphrase };
}

/** Says what the backup does not contain and must be kept elsewhere. */
async function sayWhatIsMissing(): Promise<void> {
  const { getEnv } = await import("~/lib/env.server");
  const { hasSetSecrets, dataDir } = getEnv();
  const where = hasSetSecrets ? "" : ` They are in ${dataDir}/secrets.json: copy it to another place than the backup.`;
  say(`Not in it: the passphrases of the keys and AUDIT_KEYS, without which it cannot be restored.${where}`);
  say("'restore --check' proves that you still have them.");
}

async function backup(file: string, flags: BackupFlags): Promise<void> {
  const { closeDb, getConnection } = await import("~db/connection.server");
  const { requireMigrations } = await import("~db/migrate.server");
  const { makeBackup } = await import("~/domain/backup/backup.service.server");
  const { lockInWords } = await import("~/domain/backup/locks.server");
  const { sizeOf } = await import("~/domain/backup/manifest.server");
  try {
    await requireMigrations(getConnection());
    const lock = await lockOf(flags);
    const manifest = await makeBackup(file, lock, await operatorActor(flags.operator));
    say(`Backed up ${sizeOf(manifest)} to ${file}, ${lockInWords(lock)}.`);
    await sayWhatIsMissing();
  } finally {
    await closeDb();
  }
}

interface RestoreFlags {
  identity: string[];
  passphrase?: true;
  passphraseFile?: string;
  secrets?: string;
  check?: true;
  operator?: string;
}

const NO_OPENING =
  "Say what opens the backup: --identity FILE, or --passphrase or --passphrase-file FILE when it was made with a passphrase.";

async function openingOf(flags: RestoreFlags): Promise<ArchiveOpening> {
  const { readKeyLines } = await import("~/domain/backup/locks.server");
  const passphrase = await passphraseOf(flags, false);
  if (passphrase !== null) return { passphrase };
  if (flags.identity.length === 0) throw new Error(NO_OPENING);
  return { identities: (await Promise.all(flags.identity.map(readKeyLines))).flat() };
}

async function check(file: string, flags: RestoreFlags): Promise<void> {
  const { checkBackup } = await import("~/domain/backup/restore.service.server");
  const { sizeOf } = await import("~/domain/backup/manifest.server");
  const opening = await openingOf(flags);
  const { header, manifest, keys, trail, problems } = await checkBackup({ file, opening, secretsFile: flags.secrets });
  const { madeAt, database, migrations } = header;
  say(`Made ${timestamp(madeAt)} from ${database === "sqlite" ? "SQLite" : "PostgreSQL"}, after ${migrations.at(-1)}.`);
  say(`Decrypted to its end; ${Object.keys(manifest.hashes).length} parts have the SHA-256 of the manifest.`);
  say(
    `Restored ${sizeOf(manifest)} into a new database of this version; every table has its rows, and every reference is met.`,
  );
  for (const line of [...keys, trail, ...problems]) say(line);
  if (problems.length > 0) throw new Error("The backup can be restored, but its audit trail is not sound.");
  say("Nothing of it was kept.");
}

async function restore(file: string, flags: RestoreFlags): Promise<void> {
  if (flags.check) return check(file, flags);
  if (flags.operator === undefined)
    throw new Error("--operator WHO is needed, the name of whoever restores the portal.");
  const { restoreBackup } = await import("~/domain/backup/restore.service.server");
  const { sizeOf } = await import("~/domain/backup/manifest.server");
  const source = { file, opening: await openingOf(flags), secretsFile: flags.secrets };
  const { header, manifest, keys, ended, trail, problems } = await restoreBackup(
    source,
    await operatorActor(flags.operator),
  );
  say(`Restored ${sizeOf(manifest)} as of ${header.madeAt}.`);
  for (const line of [...keys, ended, trail]) say(line);
  for (const problem of problems) warn(problem);
  say("Changes after that time are missing: see 'After a restore' in docs/operations.md before the portal opens.");
}

const passphraseOption = () =>
  new Option("--passphrase", "ask for a passphrase on the terminal").conflicts("passphraseFile");
const PASSPHRASE_FILE = ["--passphrase-file <file>", "a passphrase, the first line of a file"] as const;

export const backupCommand = (): Command =>
  new Command("backup")
    .argument("<file>", "a new file, outside DATA_DIR")
    .option("--recipient <age1…>", "who can read it, as an age public key; can be repeated", collect, [])
    .option("--recipients-file <file>", "a file of recipients, one in a line; can be repeated", collect, [])
    .addOption(passphraseOption())
    .option(...PASSPHRASE_FILE)
    .requiredOption(...OPERATOR)
    .description(
      "write the database, CA keys and other files of DATA_DIR into one encrypted file while the portal runs; secrets stay out",
    )
    .action(backup);

export const restoreCommand = (): Command =>
  new Command("restore")
    .argument("<file>", "what 'backup' wrote")
    .option("--identity <file>", "a file with the age identity of a recipient; can be repeated", collect, [])
    .addOption(passphraseOption())
    .option(...PASSPHRASE_FILE)
    .option("--secrets <file>", "a copy of the portal's secrets.json, for secrets that are not set as variables")
    .option("--check", "prove that it can be restored, on any machine, and keep nothing of it")
    .option(...OPERATOR)
    .description("restore a backup into an empty DATA_DIR and, with DATABASE_URL, an empty PostgreSQL database")
    .action(restore);
