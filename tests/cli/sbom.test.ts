import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Packages {
  /** The name of the package that stands in for the one of the folder. */
  name?: string;
  version: string;
  dev?: boolean;
  optional?: boolean;
}
interface Bill {
  bomFormat: string;
  components: { purl: string; components?: Bill["components"] }[];
}

const namesIn = (components: Bill["components"]): string[] =>
  components.flatMap(({ purl, components: nested = [] }) => [decodeURIComponent(purl), ...namesIn(nested)]);

test("the bill of materials lists exactly the packages of production, with their versions", () => {
  const folder = mkdtempSync(join(tmpdir(), "marque-sbom-"));
  const file = join(folder, "sbom.json");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const [program = "", ...args] = (scripts.sbom ?? "").replace("build/sbom.cdx.json", file).split(" ");
  execFileSync(`node_modules/.bin/${program}`, args, { stdio: "pipe" });
  const bill = JSON.parse(readFileSync(file, "utf8")) as Bill;
  rmSync(folder, { recursive: true });

  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Packages> };
  const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
  const purl = ([path, { name = path.split("node_modules/").at(-1), version }]: [string, Packages]) =>
    `pkg:npm/${name}@${version}`;
  const needed = installed.filter(([, { dev, optional }]) => !dev && !optional).map(purl);
  const allowed = new Set(installed.filter(([, { dev }]) => !dev).map(purl));
  const listed = namesIn(bill.components);
  expect(bill.bomFormat).toBe("CycloneDX");
  expect(needed.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !allowed.has(name))).toEqual([]);
});
