import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const inDocs = readdirSync("docs", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => join("docs", path));
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...inDocs];
const records = inDocs.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));

/** Returns whether a path of the project exists. Its last part can contain asterisks. */
function isThere(path: string): boolean {
  if (!path.includes("*")) return existsSync(path);
  const folder = dirname(path);
  const pattern = new RegExp(`^${basename(path).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return existsSync(folder) && readdirSync(folder).some((name) => pattern.test(name));
}

describe.each(documents)("%s", (document) => {
  const text = readFileSync(document, "utf8").replace(/^```.*?^```/gms, "");

  test("links to existing files", () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(dirname(document), target)))).toEqual([]);
  });

  test("names existing files", () => {
    const named = [...text.matchAll(/`((?:app|cli|client|config|db|docs|migrations|scripts|tests)\/[\w./*$-]+)`/g)];
    expect(named.map(([, path = ""]) => path).filter((path) => !isThere(path))).toEqual([]);
  });
});

test("the index of the decisions has every record with its title, date and status", () => {
  const index = readFileSync("docs/decisions/README.md", "utf8");
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\(([^)]+)\)\s+\| (.*?)\s+\| (\S+)\s+\| (.*?)\s+\|$/gm)].map(
    ([, number = "", file = "", title = "", date = "", status = ""]) => ({ number, file, title, date, status }),
  );
  const expected = records.toSorted().map((path) => {
    const [, number = "", title = "", date = "", status = ""] =
      /^# (\d+)\. (.*)\n\nDate: (\S+)\. Status: (.*)\.\n/.exec(readFileSync(path, "utf8")) ?? [];
    return { number: number.padStart(4, "0"), file: basename(path), title, date, status };
  });
  expect(rows).toEqual(expected);
});

test("docs/requirements.md has every requirement that code and tests cite", () => {
  const described = new Set(readFileSync("docs/requirements.md", "utf8").match(/\*\*[A-Z]{3}-\d{2}\*\*/g));
  const sources = ["app", "cli", "db", "tests"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(folder, path)),
  );
  const cited = sources.flatMap(
    (path) => readFileSync(path, "utf8").match(/\b(?!UTF|TAX)[A-Z]{3}-\d{2}\b(?![-\d])/g) ?? [],
  );
  expect([...new Set(cited)].filter((id) => !described.has(`**${id}**`)).toSorted()).toEqual([]);
});
