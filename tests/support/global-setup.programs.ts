import { bundle, ensureBuilt } from "../../scripts/build.mjs";
import { CHILD_FOLDER, CHILD_PROGRAMS } from "./child-programs";

/** Bundles what the tests run as processes of their own: the command line, and their own programs. */
export default async function setup(): Promise<void> {
  ensureBuilt(["command-line"]);
  await bundle({
    entryPoints: CHILD_PROGRAMS.map((name) => `tests/${name}.ts`),
    outbase: "tests",
    outdir: CHILD_FOLDER,
  });
}
