import { join } from "node:path";

/** Programs that tests run as processes of their own, in the folder of the tests. They are bundled once for a run of the tests. */
export const CHILD_PROGRAMS = [
  "crash/child",
  "integration/ocsp-process",
  "postgres/approver",
  "postgres/invoice-issuer",
] as const;

export const CHILD_FOLDER = join(import.meta.dirname, "../../build/tests");

/** The bundle of a program. */
export const childProgram = (name: (typeof CHILD_PROGRAMS)[number]): string => join(CHILD_FOLDER, `${name}.js`);
