import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type|enum) ([\w$]+)/gm;

const modules = ["app", "cli", "db"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith("app/routes/")),
);

test("no name is exported by two modules", () => {
  const places = new Map<string, string[]>();
  for (const path of modules)
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(DECLARED))
      places.set(name, [...(places.get(name) ?? []), path]);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
