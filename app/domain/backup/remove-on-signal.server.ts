import { rmSync } from "node:fs";

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Removes a file or folder when the process is asked to stop, and ends the process. Returns a function after which it stays. */
export function removeOnSignal(path: string): () => void {
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, remove);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, remove);
  };
}
