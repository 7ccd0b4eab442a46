import { Command } from "commander";
import { say } from "../output";

async function backup(folder: string): Promise<void> {
  const { withDatabase } = await import("../with-database");
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  const { makeBackup } = await import("~/domain/backup/backup.service.server");
  const { sizeOf } = await import("~/domain/backup/manifest.server");
  await withDatabase(async () => {
    const manifest = await makeBackup(folder, systemActor("command line"));
    say(`Backed up ${sizeOf(manifest)} to ${folder}.`);
    if ("secrets.json" in manifest.files)
      say("Warning: secrets.json is among them, so the copy opens its own CA keys. Guard it.");
  });
}

async function restore(folder: string): Promise<void> {
  const { restoreBackup } = await import("~/domain/backup/restore.service.server");
  const { sizeOf } = await import("~/domain/backup/manifest.server");
  const manifest = await restoreBackup(folder);
  say(`Restored ${sizeOf(manifest)} as of ${manifest.madeAt}.`);
  say("Changes after that time are missing: see 'After a restore' in docs/operations.md before the portal opens.");
}

export const backupCommand = (): Command =>
  new Command("backup")
    .argument("<folder>", "a new folder, outside DATA_DIR")
    .description("copy the SQLite database, CA keys and other files of DATA_DIR while the portal runs")
    .action(backup);

export const restoreCommand = (): Command =>
  new Command("restore")
    .argument("<folder>", "what 'backup' wrote")
    .description("check a backup and restore it into an empty DATA_DIR")
    .action(restore);
