import { execFile } from "node:child_process";
import { COMMAND_LINE } from "../../scripts/build.mjs";

export interface CommandRun {
  code: number;
  out: string;
  err: string;
}

/** Runs the portal's real command line with these variables. `input` is typed, and the input ends after it. */
export const runCommand = (args: readonly string[], env: Record<string, string>, input?: string): Promise<CommandRun> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const command = execFile(process.execPath, [COMMAND_LINE, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    if (input !== undefined) command.stdin?.end(input);
  });
