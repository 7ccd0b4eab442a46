import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type CommandRun, runCommand } from "./command";
import { onServer } from "./postgres-client";

/** Returns the exit code of a command and everything that it printed. */
export const saidOf = ({ code, out, err }: CommandRun) => `${code} ${out}${err}`;

/** Makes an age key pair with age's own program. */
export function makeAgeKey(directory: string, name: string): { identity: string; recipient: string } {
  const identity = join(directory, `${name}.key`);
  execFileSync("age-keygen", ["-o", identity], { stdio: "pipe" });
  return { identity, recipient: execFileSync("age-keygen", ["-y", identity], { encoding: "utf8" }).trim() };
}

/**
 * A place for backups outside the data folder, with a key pair, and empty machines on which they are restored. `variables` returns the
 * environment of the portal of the test.
 */
export function useBackups(variables: () => Record<string, string>) {
  const place = mkdtempSync(join(tmpdir(), "marque-backup-"));
  const { identity, recipient } = makeAgeKey(place, "operator");
  const databases: string[] = [];

  afterAll(async () => {
    for (const name of databases) await onServer(`drop database if exists ${name} with (force)`);
    rmSync(place, { recursive: true, force: true });
  });

  /** Returns the environment of a new machine: an empty data folder and, for PostgreSQL, an empty database. */
  async function machine(name: string): Promise<Record<string, string>> {
    const home = join(place, name);
    mkdirSync(home);
    const temporary = join(home, "tmp");
    mkdirSync(temporary);
    const env: Record<string, string> = { ...variables(), DATA_DIR: join(home, "data"), TMPDIR: temporary };
    if (!env.DATABASE_URL) return env;
    const database = `restored_${process.pid}_${databases.length}`;
    await onServer(`create database ${database}`);
    databases.push(database);
    return { ...env, DATABASE_URL: env.DATABASE_URL.replace(/[^/]+$/, database) };
  }

  const backup = (file: string, ...args: string[]) =>
    runCommand(["backup", file, "--operator", "Olga", ...args], variables());
  const restore = (env: Record<string, string>, file: string, ...args: string[]) =>
    runCommand(["restore", file, "--identity", identity, "--operator", "Olga", ...args], env);

  /** Returns what is left on a machine. */
  const leftOn = (env: Record<string, string>): string[] =>
    [env.DATA_DIR, env.TMPDIR].flatMap((folder) => (folder && existsSync(folder) ? readdirSync(folder) : []));

  /** Decrypts an archive with age's own program, unpacks it with tar, and returns the folder. */
  function unpacked(from: string): string {
    const folder = mkdtempSync(join(place, "unpacked-"));
    const tar = execFileSync("age", ["-d", "-i", identity, from], { maxBuffer: 2 ** 28 });
    execFileSync("tar", ["xz", "-C", folder], { input: tar });
    return folder;
  }

  /** Writes a file outside the data folder and returns its path. */
  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(place, name);
    writeFileSync(path, content);
    return path;
  };

  const jsonIn = <T>(folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
  const path = (name: string) => join(place, name);
  return { place, identity, recipient, machine, backup, restore, leftOn, write, path, unpacked, jsonIn };
}
