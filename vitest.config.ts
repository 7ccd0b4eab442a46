import tsconfigPaths from "vite-tsconfig-paths";
import { defineConfig } from "vitest/config";
import { ON_POSTGRES } from "./tests/on-postgres";
import { useTemporaryFolder, WORKERS } from "./tests/support/machine";

useTemporaryFolder();

const onDatabase = (name: "sqlite" | "postgres", include: string[]) => ({
  extends: true as const,
  test: {
    name,
    include,
    globalSetup: ["tests/support/global-setup.programs.ts", `tests/support/global-setup.${name}.ts`],
    env: { TEST_DATABASE: name },
  },
});

export default defineConfig({
  plugins: [tsconfigPaths()],
  test: {
    environment: "node",
    setupFiles: ["tests/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Test files share the processes of the workers and the modules in them; tests/setup.ts tidies up between two files.
    poolOptions: { forks: { isolate: false } },
    reporters: ["default", "./tests/support/run-report.ts"],
    // The same number: Vitest would end idle workers, and with them the modules that they have loaded.
    maxWorkers: WORKERS,
    minWorkers: WORKERS,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/{unit,ca,components}/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/support/global-setup.programs.ts"],
        },
      },
      onDatabase("sqlite", ["tests/{integration,cli,interop,crash,sqlite}/**/*.test.{ts,tsx}"]),
      onDatabase("postgres", [
        `tests/integration/{${ON_POSTGRES.join(",")}}.test.{ts,tsx}`,
        "tests/{crash,postgres}/**/*.test.ts",
      ]),
    ],
  },
});
