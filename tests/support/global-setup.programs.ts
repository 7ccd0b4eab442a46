import { ensureBuilt } from "../../scripts/build.mjs";
import { bundlePrograms } from "./child-programs";

/** Bundles the programs that the tests run as separate processes: the command line and the tests' own programs. */
export default async function setup(): Promise<void> {
  ensureBuilt(["command-line", "worker"]);
  await bundlePrograms();
}
