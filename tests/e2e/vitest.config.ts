import tsconfigPaths from "vite-tsconfig-paths";
import { defineConfig } from "vitest/config";
import { useTemporaryFolder } from "../support/machine";
import { BOTH_WAYS, WITH_SCRIPTS } from "./chosen-journeys";

useTemporaryFolder();

const SQLITE = "tests/e2e/support/global-setup.sqlite.ts";
const POSTGRES = "tests/e2e/support/global-setup.postgres.ts";

const isChosen = process.env.TEST_JOURNEYS === "chosen";
const filesOf = (names: readonly string[]) => names.map((name) => `tests/e2e/${name}.test.ts`);
const ALL = filesOf(["*"]);

const journeys = (scripts: "js" | "no-js", database: "sqlite" | "postgres") => ({
  extends: true as const,
  test: {
    name: `${scripts} ${database}`,
    include: isChosen && scripts === "js" ? filesOf([...BOTH_WAYS, ...WITH_SCRIPTS]) : ALL,
    exclude: isChosen && scripts === "no-js" ? filesOf(WITH_SCRIPTS) : [],
    env: { TEST_SCRIPTS: scripts, TEST_DATABASE: database },
    globalSetup: [`tests/e2e/support/global-setup.${database}.ts`],
  },
});

export default defineConfig({
  root: process.cwd(),
  plugins: [tsconfigPaths()],
  test: {
    environment: "node",
    setupFiles: ["tests/setup.ts"],
    // A journey takes two minutes at most, and up to three times as long on a slow machine.
    testTimeout: 400_000,
    hookTimeout: 180_000,
    // As long as the other waits of the journeys, because a page can be slow on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // As in vitest.config.ts: files share the processes of the workers.
    poolOptions: { forks: { minForks: 3, maxForks: 3, isolate: false } },
    reporters: ["default", "./tests/support/run-report.ts"],
    projects: [
      { extends: true, test: { name: "http", include: ["tests/http/**/*.test.ts"], globalSetup: [SQLITE] } },
      {
        extends: true,
        test: {
          name: "acme postgres",
          include: ["tests/http/acme-*.test.ts"],
          env: { TEST_DATABASE: "postgres" },
          globalSetup: [POSTGRES],
        },
      },
      {
        extends: true,
        test: {
          name: "screens",
          include: ["tests/screens/**/*.test.ts"],
          // axe reads each screen in four ways, and the description of the JSON calls is long.
          testTimeout: 600_000,
          env: { TEST_SCRIPTS: "js", TEST_DATABASE: "sqlite" },
          globalSetup: [SQLITE],
        },
      },
      { extends: true, test: { name: "machines", include: ["tests/machines/**/*.test.ts"], globalSetup: [POSTGRES] } },
      { extends: true, test: { name: "firefox", include: ["tests/firefox/**/*.test.ts"], globalSetup: [SQLITE] } },
      journeys("no-js", "sqlite"),
      journeys("js", "sqlite"),
      journeys("no-js", "postgres"),
      journeys("js", "postgres"),
    ],
  },
});
