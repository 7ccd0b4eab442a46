import tsconfigPaths from "vite-tsconfig-paths";
import { defineConfig } from "vitest/config";

const onDatabase = (name: "sqlite" | "postgres", folders: string) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/{${folders}}/**/*.test.{ts,tsx}`],
    globalSetup: [`tests/support/global-setup.${name}.ts`],
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
    // Otherwise one core is left out: on a machine of two that is half of it.
    maxWorkers: "100%",
    minWorkers: 1,
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/{unit,ca,components}/**/*.test.{ts,tsx}"] } },
      onDatabase("sqlite", "integration,interop,crash,sqlite"),
      onDatabase("postgres", "integration,interop,crash,postgres"),
    ],
  },
});
