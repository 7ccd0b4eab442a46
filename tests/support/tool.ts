import { execFile } from "node:child_process";

export interface ToolRun {
  code: number;
  /** Standard output followed by standard error. */
  text: string;
}

/** Runs an external program while this process continues to answer its requests. A failure of the program is returned, not thrown. */
export const runTool = (command: string, args: readonly string[], env: Record<string, string> = {}): Promise<ToolRun> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(command, args, options, (error, out, err) => {
      if (error && typeof error.code !== "number") reject(new Error(`${command} cannot be run: ${error.message}`));
      else resolve({ code: error ? Number(error.code) : 0, text: out + err });
    });
  });
