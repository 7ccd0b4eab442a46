import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";

/** Returns the file that holds the first administrator's generated password until it is changed. */
const firstPasswordFile = () => join(getEnv().dataDir, "administrator-password");

const accountLine = (username: string) => `Account: ${username}\n`;

/** Writes the generated password of the first administrator to a file that only its owner can read. Returns the path of the file. */
export async function writeFirstPassword(username: string, password: string): Promise<string> {
  const file = firstPasswordFile();
  await writeFileAtomically(file, `${accountLine(username)}Password: ${password}\n`);
  return file;
}

/** Removes the file of `writeFirstPassword` if it is about this account. A failure is logged: the password no longer opens anything. */
export async function removeFirstPassword(username: string): Promise<void> {
  try {
    const content = await readFile(firstPasswordFile(), "utf8");
    if (content.startsWith(accountLine(username))) await rm(firstPasswordFile());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") logError(error);
  }
}
