import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { usePortal } from "../support/portal";
import { signerIn } from "../support/signer";

const portal = usePortal();

/** Runs the command on a terminal of its own (util-linux `script`) and types this line when it asks. Returns what the terminal shows. */
async function adoptOnTerminal(typed: string): Promise<{ code: number | null; shown: string }> {
  const command = `"${process.execPath}" "${COMMAND_LINE}" signer adopt --operator Olga`;
  const { env } = signerIn(portal.dataDir);
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    env: { ...process.env, ...portal.env, SIGNER_DIR: env.SIGNER_DIR },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void terminal.kill("SIGKILL"));
  let shown = "";
  let isTyped = false;
  terminal.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (isTyped || !shown.includes("Type yes to go on")) return;
    isTyped = true;
    terminal.stdin.write(`${typed}\n`);
  });
  const [code] = (await once(terminal, "close")) as [number | null];
  return { code, shown };
}

const isAtPortal = () => existsSync(join(portal.dataDir, "ca/issuing-sha2.key.pem"));
const isAtSigner = () => existsSync(join(portal.dataDir, "signer/keys/issuing-sha2.key.pem"));

test("[CAL-01] signer adopt shows on the terminal what it will do, and moves no key for another answer than yes", async () => {
  const stopped = await adoptOnTerminal("y");
  expect(stopped.code).toBe(1);
  expect(stopped.shown).toContain("issuing-sha2: its key file is moved, its certificate is written");
  expect(stopped.shown).toContain("Nothing was changed.");
  expect([isAtPortal(), isAtSigner()]).toEqual([true, false]);
  const moved = await adoptOnTerminal("yes");
  expect(moved.code).toBe(0);
  expect(moved.shown).toContain("Moved the key of 'issuing-sha2' to the signer");
  expect([isAtPortal(), isAtSigner()]).toEqual([false, true]);
});
