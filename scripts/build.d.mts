import { type BuildOptions } from "esbuild";

export const SERVER: string;
export const COMMAND_LINE: string;
export function bundle(options: BuildOptions & { outside?: readonly string[] }): Promise<void>;
export function ensureBuilt(
  names: readonly ("server" | "command-line" | "worker" | "client")[],
  onBuild?: () => void,
): void;
