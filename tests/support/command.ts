import { execFile } from "node:child_process";
import { COMMAND_LINE } from "../../scripts/build.mjs";

export interface CommandRun {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs the portal's real command line with these variables.
 *
 * @param typed What is typed, after which the input ends; or what somebody answers to all that has been printed, null for nothing yet.
 */
export const runCommand = (
  args: readonly string[],
  env: Record<string, string>,
  typed?: string | ((printed: string) => string | null),
): Promise<CommandRun> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const command = execFile(process.execPath, [COMMAND_LINE, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    if (typeof typed === "string") command.stdin?.end(typed);
    if (typeof typed !== "function") return;
    let printed = "";
    command.stdout?.on("data", (text: string) => {
      printed += text;
      const answer = typed(printed);
      if (answer !== null) command.stdin?.write(`${answer}\n`);
    });
  });
