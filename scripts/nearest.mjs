// Finds the tests that are nearest to a part of the project, so that `npm run check -- PATH` takes seconds even for a file that nearly
// everything imports.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /(?:from |import\()"(~|~db|\.{1,2})\/([^"]+)"/g;
/** The folders that an import can begin with. A name that is not here is a path from the importing file. */
const FOLDERS = { "~": "app", "~db": "db" };
/** So many tests are enough. */
const ENOUGH = 5;

const moduleOf = (path) => path.replace(/\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");

const importsOf = (path) =>
  [...readFileSync(path, "utf8").matchAll(IMPORT)].map(([, from, name]) =>
    moduleOf(join(FOLDERS[from] ?? join(dirname(path), from), name)),
  );

/**
 * Returns the tests that import one of the files of `part`. When these are few, it adds the tests of the modules that import those files, such
 * as the page that a rule is for, and so on. `sources` are the paths of all modules and tests; `isTest` says which of them are tests.
 */
export function nearestTests(part, sources, isTest) {
  const imports = new Map(sources.map((path) => [path, importsOf(path)]));
  const reached = new Set(part.map(moduleOf));
  for (;;) {
    const importing = sources.filter((path) => imports.get(path).some((name) => reached.has(name)));
    const tests = importing.filter(isTest);
    const before = reached.size;
    for (const path of importing) reached.add(moduleOf(path));
    if (tests.length >= ENOUGH || reached.size === before) return tests;
  }
}
