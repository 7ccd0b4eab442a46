import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { type Reporter, type TestModule } from "vitest/node";

/** The report of one test file, with times in milliseconds. */
export interface FileReport {
  project: string;
  file: string;
  collect: number;
  tests: number;
}

/** The report of one row of the specification's checklist. */
export interface RowReport {
  tests: number;
  assertions: number;
}

export interface RunReport {
  passed: number;
  failed: number;
  skipped: number;
  files: FileReport[];
  rows: Record<string, RowReport>;
}

const ROW = /\[([A-Z]{3}-\d{2})\]/g;

/**
 * Writes the time of each file, and the number of tests and assertions about each row of the checklist, to the file that the variable
 * TEST_REPORT names. Without that variable it does nothing.
 */
export default class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.TEST_REPORT;
    if (!path) return;
    const report: RunReport = { passed: 0, failed: 0, skipped: 0, files: [], rows: {} };
    for (const module of modules) {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      report.files.push({
        project: module.project.name,
        file: relative(process.cwd(), module.moduleId),
        collect: Math.round(collectDuration + setupDuration),
        tests: Math.round(duration),
      });
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "pending") continue;
        report[state] += 1;
        const { assertions = 0 } = test.meta() as { assertions?: number };
        for (const [, row = ""] of test.fullName.matchAll(ROW)) {
          const counted = (report.rows[row] ??= { tests: 0, assertions: 0 });
          counted.tests += 1;
          counted.assertions += assertions;
        }
      }
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(report, null, 1));
  }
}
