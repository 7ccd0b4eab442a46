// npm run portal: the command line, which is built again when its sources have changed.
import { COMMAND_LINE, ensureBuilt } from "./build.mjs";

ensureBuilt(["command-line", "worker"]);
await import(COMMAND_LINE);
