import { join } from "node:path";
import { bundle } from "../../scripts/build.mjs";
import { folderOfRun } from "./folder-of-run";
import { oncePerRun } from "./once-per-run";

/** Programs that tests run as separate processes, in the folder of the tests. They are bundled once per test run. */
const CHILD_PROGRAMS = [
  "crash/audit-child",
  "crash/child",
  "crash/signer",
  "integration/ocsp-process",
  "postgres/approver",
  "postgres/invoice-issuer",
  "support/make-template",
] as const;

/** Inside the checkout, so that the programs find its packages. */
const BUNDLES = join(import.meta.dirname, "../../build/tests");

const FOLDER_OF_RUN = "TEST_PROGRAMS";

/** Returns the path of a program's bundle. */
export const childProgram = (name: (typeof CHILD_PROGRAMS)[number]): string =>
  join(process.env[FOLDER_OF_RUN] ?? "", `${name}.js`);

export const bundlePrograms = () =>
  oncePerRun(FOLDER_OF_RUN, async () => {
    const outdir = folderOfRun(BUNDLES, "run-");
    await bundle({
      entryPoints: CHILD_PROGRAMS.map((name) => `tests/${name}.ts`),
      outbase: "tests",
      outdir,
      splitting: true,
    });
    return outdir;
  });
