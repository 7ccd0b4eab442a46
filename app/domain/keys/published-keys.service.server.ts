import { resolve } from "node:path";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getDb } from "~db/connection.server";
import { hasDebianList } from "~db/repositories/listed-keys.server";
import { importKeyList } from "./import.service.server";
import { textSource } from "./key-file.server";

/** The product's own list of keys that are published for tests. */
const FILE = "config/published-test-keys.txt";
export const PUBLISHED_KEYS = "published test keys";

/** Imports the keys of the product's own list that are not listed yet. Returns how many were added. */
export async function listPublishedKeys(now = new Date()): Promise<number> {
  const options = {
    source: textSource(resolve(FILE), PUBLISHED_KEYS),
    actor: systemActor("set-up"),
    onProblem: (line: number, problem: string) => {
      throw new Error(`${FILE}, line ${line}: ${problem}`);
    },
    onProgress: () => undefined,
  };
  const { keys, known } = await importKeyList({ ...options, dryRun: true }, now);
  return known === keys ? 0 : (await importKeyList({ ...options, dryRun: false }, now)).added;
}

/**
 * Returns the notice that is shown at the start and to staff while no list of Debian's weak keys is imported. Returns null when there is
 * one.
 */
export const missingListNotice = async (): Promise<string | null> =>
  (await hasDebianList(getDb()))
    ? null
    : "No list of the keys of Debian's weak OpenSSL (CVE-2008-0166) is imported: such keys are not recognised. Import one with 'portal keys fetch https://update.badkeys.info/v0/badkeysdata.json'.";
