import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEnv } from "~/lib/env.server";

let dataDir = "";
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "marque-signer-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Writes a file of a portal that was started before. */
function write(file: string): void {
  mkdirSync(dirname(join(dataDir, file)), { recursive: true });
  writeFileSync(join(dataDir, file), "");
}

const startsSigner = (variables: Record<string, string> = {}) =>
  parseEnv({ DATA_DIR: dataDir, ...variables }).startsSigner;

const IS_REAL = { PUBLIC_URL: "https://portal.example.org" };

describe("[CAL-01] whether the portal starts a signer", () => {
  test.each([
    ["a new trial", [], {}, true],
    ["a folder that is not there yet", [], { DATA_DIR: "/nowhere/marque" }, true],
    ["a trial whose first start has begun", ["signer/keys/.keep", "marque.sqlite"], {}, true],
    [
      "a trial whose signer has the keys",
      ["signer/keys/issuing-g3.key.pem", "marque.sqlite", "ca/root.key.pem"],
      {},
      true,
    ],
    ["a trial that is to be without one", [], { SIGNER_CHILD: "no" }, false],
    ["a trial that was made without one", ["marque.sqlite", "ca/issuing-g3.key.pem"], {}, false],
    ["a trial whose database is there without keys", ["marque.sqlite"], {}, false],
    ["keys that were moved back", ["marque.sqlite", "signer/keys/.keep", "ca/issuing-g3.key.pem"], {}, false],
    ["keys that are to be moved", ["marque.sqlite", "ca/issuing-g3.key.pem"], { SIGNER_CHILD: "yes" }, true],
    ["PostgreSQL", [], { DATABASE_URL: "postgres://localhost/marque" }, false],
    ["a signer of its own", [], { SIGNER_SOCKET: "/run/marque-signer/socket" }, false],
    ["confirmations of people", [], { SIGNER_GRANTS: "required" }, false],
    ["a portal for real use", [], IS_REAL, false],
    ["a portal for real use whose signer has the keys", ["marque.sqlite", "signer/keys/.keep"], IS_REAL, true],
    ["a path that is too long for a socket", [], { SIGNER_DIR: `/${"long/".repeat(30)}` }, false],
  ])("%s", (_, files, variables, expected) => {
    files.forEach(write);
    expect(startsSigner(variables)).toBe(expected);
  });
});
