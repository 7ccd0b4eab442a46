import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openApiDocument } from "~/api/openapi.server";
import { clientTypes } from "../../scripts/client-types";
import { usePortal } from "../support/portal";

usePortal();

test("[API-05] docs/api.md shows the example of the client unchanged", () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(readFileSync("docs/api.md", "utf8")) ?? [];
  expect(shown).toBe(readFileSync("client/example.ts", "utf8"));
});

/** Runs Node.js in a folder. Returns its output. When the program fails, the error contains its output. */
function node(folder: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout || String(error));
  }
}

test("[API-05] the copied client compiles in a plain Node project with types from the description, and runs without a bundler", async () => {
  const folder = mkdtempSync(join(tmpdir(), "marque-copied-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync("client", join(folder, "client"), { recursive: true });
  writeFileSync(join(folder, "client/calls.ts"), await clientTypes(openApiDocument()));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["ES2023", "DOM"],
    strict: true,
    types: ["node"],
  };
  const options = {
    ...compilerOptions,
    skipLibCheck: true,
    verbatimModuleSyntax: true,
    noUncheckedIndexedAccess: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["client"] }));
  node(folder, resolve("node_modules/typescript/bin/tsc"), "--project", ".");
  const program = `
    import { buyCertificate } from "./client/example.js";
    import { openPortal } from "./client/portal.js";
    console.log(typeof openPortal("https://portal.example").GET, typeof buyCertificate);`;
  expect(node(folder, "--input-type=module", "--eval", program)).toBe("function function");
}, 120_000);
