import { join } from "node:path";
import { bundle } from "../../scripts/build.mjs";
import { oncePerRun } from "./once-per-run";

/** Programs that tests run as processes of their own, in the folder of the tests. They are bundled once for a run of the tests. */
const CHILD_PROGRAMS = [
  "crash/child",
  "integration/ocsp-process",
  "postgres/approver",
  "postgres/invoice-issuer",
  "support/make-template",
] as const;

const FOLDER = join(import.meta.dirname, "../../build/tests");

/** The bundle of a program. */
export const childProgram = (name: (typeof CHILD_PROGRAMS)[number]): string => join(FOLDER, `${name}.js`);

export const bundlePrograms = () =>
  oncePerRun("TEST_PROGRAMS", async () => {
    await bundle({
      entryPoints: CHILD_PROGRAMS.map((name) => `tests/${name}.ts`),
      outbase: "tests",
      outdir: FOLDER,
      splitting: true,
    });
    return FOLDER;
  });
