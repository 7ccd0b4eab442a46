import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../scripts/build.mjs";

test("the command line ends quietly when its output is no longer read, as with `| head`", async () => {
  const child = spawn(process.execPath, [COMMAND_LINE, "--help"]);
  child.stdout.destroy(); // before the first line is written
  const [err, ended] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ err, code: ended[0] as unknown }).toEqual({ err: "", code: 0 });
}, 60_000);
