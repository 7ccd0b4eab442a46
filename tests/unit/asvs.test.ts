import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const DOCUMENT = "docs/security/asvs.md";
const text = readFileSync(DOCUMENT, "utf8");

/** The level of each requirement by its id. */
const levels = new Map(
  [...readFileSync("tests/unit/asvs-levels.txt", "utf8").matchAll(/^(\d): (.*)$/gm)].flatMap(
    ([, level = "", ids = ""]) => ids.split(" ").map((id) => [id, level] as const),
  ),
);

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) .*\|$/gm)].map(([row]) => {
  const [, id = "", level = "", asks = "", state = "", where = "", ...rest] = row.split("|").map((cell) => cell.trim());
  return { id, level, asks, state, where, rest };
});
type Row = (typeof rows)[number];

const STATES = ["met", "not met", "not applicable"];
const ROOT_FILES = /^(server\.ts|tsconfig\.json|package(-lock)?\.json|Dockerfile|[A-Z]+\.md|\.\w+(\.json)?)$/;
const FOLDERS = /^(app|cli|client|config|db|docs|migrations|policies|public|scripts|tests)(\/|$)/;

/** Returns the paths of the project that a row names. */
const filesOf = ({ where }: Row): string[] =>
  [...where.matchAll(/`([^`]+)`/g)]
    .map(([, named = ""]) => named)
    .filter((named) => FOLDERS.test(named) || ROOT_FILES.test(named));

const idsOf = (wrong: readonly Row[]) => wrong.map(({ id }) => id);

test("every requirement of the levels 1 and 2 has one row, and no row is of another standard", () => {
  const required = [...levels].filter(([, level]) => level !== "3").map(([id]) => id);
  expect(required).toHaveLength(253);
  expect(idsOf(rows).filter((id, index, all) => all.indexOf(id) !== index)).toEqual([]);
  expect(required.filter((id) => !idsOf(rows).includes(id))).toEqual([]);
  expect(idsOf(rows.filter(({ id, level }) => levels.get(id) !== level))).toEqual([]);
});

test("every row has five cells, and what it asks takes twelve words at most", () => {
  expect(idsOf(rows.filter(({ rest }) => rest.length !== 1))).toEqual([]);
  expect(idsOf(rows.filter(({ asks }) => asks === "" || asks.split(/\s+/).length > 12))).toEqual([]);
});

test("every state is a known one", () => {
  expect(idsOf(rows.filter(({ state }) => !STATES.includes(state)))).toEqual([]);
});

test("a requirement that is met names a file", () => {
  expect(idsOf(rows.filter((row) => row.state === "met" && filesOf(row).length === 0))).toEqual([]);
});

test("every named file exists", () => {
  expect(rows.flatMap(filesOf).filter((file) => !existsSync(file))).toEqual([]);
});

test("a requirement that is not met or not applicable has a reason, which is a sentence", () => {
  const isSentence = ({ where }: Row) => /^[\p{Lu}`].*\s\S+\.$/u.test(where);
  expect(idsOf(rows.filter((row) => row.state !== "met" && !isSentence(row)))).toEqual([]);
});

test("the counts at the top are those of the rows", () => {
  const counted = rows.filter(({ level }) => level !== "3");
  const counts = STATES.map((state) => counted.filter((row) => row.state === state).length);
  const [, ...stated] = /^\| now\s+\| (\d+)\s+\| (\d+)\s+\| (\d+)\s+\|$/m.exec(text) ?? [];
  expect(stated.map(Number)).toEqual(counts);
});
