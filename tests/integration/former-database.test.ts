import { readdirSync } from "node:fs";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { FORMER_DATABASE } from "~db/migrate.server";
import { runCommand } from "../support/command";
import { readRows } from "../support/landing";
import { usePortal } from "../support/portal";

const portal = usePortal();

/** Gives two migrations names from before the first release. The first migration had its present name even then. */
beforeAll(async () => {
  const rename = (name: string, former: string) =>
    sql`update kysely_migration set name = ${former} where name = ${name}`.execute(getDb());
  await rename("0002-orders", "0002-certificates");
  await rename("0006-operations", "0039-acting-tokens");
});

const files = () =>
  readdirSync(portal.dataDir, { recursive: true, encoding: "utf8" })
    .filter((file) => !/-(wal|shm)$/.test(file))
    .sort();

test.each([["setup"], ["db", "migrate"], ["users", "list"]])(
  "[CAL-01] a database from before the first release is refused by 'portal %s %s' and not changed",
  async (...command) => {
    const before = [await readRows(), files()];
    expect(await runCommand(command, portal.env)).toEqual({ code: 1, out: "", err: `portal: ${FORMER_DATABASE}\n` });
    expect([await readRows(), files()]).toEqual(before);
  },
);
