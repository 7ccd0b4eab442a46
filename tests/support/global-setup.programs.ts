import { ensureBuilt } from "../../scripts/build.mjs";
import { bundlePrograms } from "./child-programs";

/** Bundles what the tests run as processes of their own: the command line, and their own programs. */
export default async function setup(): Promise<void> {
  ensureBuilt(["command-line"]);
  await bundlePrograms();
}
