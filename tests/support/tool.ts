import { execFile } from "node:child_process";

export interface ToolRun {
  code: number;
  /** Standard output and standard error, in this order. */
  text: string;
}

/** Runs somebody else's program while this process goes on answering it. Never throws for its failure. */
export const runTool = (command: string, args: readonly string[], env: Record<string, string> = {}): Promise<ToolRun> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(command, args, options, (error, out, err) => {
      if (error && typeof error.code !== "number") reject(new Error(`${command} cannot be run: ${error.message}`));
      else resolve({ code: error ? Number(error.code) : 0, text: out + err });
    });
  });
