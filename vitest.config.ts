import tsconfigPaths from "vite-tsconfig-paths";
import { defineConfig } from "vitest/config";

const onDatabase = (name: "sqlite" | "postgres", folders: string) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/{${folders}}/**/*.test.{ts,tsx}`],
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
    // Otherwise one core is left out: on a machine of two that is half of it.
    maxWorkers: "150%",
    minWorkers: 1,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/{unit,ca,components}/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/support/global-setup.programs.ts"],
        },
      },
      onDatabase("sqlite", "integration,interop,crash,sqlite"),
      onDatabase("postgres", "integration,interop,crash,postgres"),
    ],
  },
});
